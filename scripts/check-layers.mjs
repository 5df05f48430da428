// Imports point downwards only. The table below is the one in ARCHITECTURE.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { root } from './setup-state.mjs';

/** Lowest first. A folder may import its own level and every level below. */
const levels = [
  ['settings', 'database', 'events', 'files', 'errors'],
  ['claude', 'continuity', 'resilience', 'ledger', 'transcript', 'sessions', 'guards', 'workbench'],
  ['runtime'],
  ['workflow', 'agents', 'documents', 'human'],
  ['flows'],
  ['cli', 'index.ts', 'package.test.ts'],
];

/** Packages that only these folders may import. */
const owners = {
  '@anthropic-ai/claude-agent-sdk': ['claude'],
  'better-sqlite3': ['database', 'sessions'],
  commander: ['cli'],
  'fast-string-width': ['cli'],
  jiti: ['cli'],
  picocolors: ['cli'],
};

const source = join(root, 'src');
const levelOf = new Map(levels.flatMap((folders, level) => folders.map((it) => [it, level])));
const files = readdirSync(source, { recursive: true }).filter((path) => path.endsWith('.ts'));
const faults = files.flatMap((path) =>
  importsOf(path)
    .map((specifier) => fault(path, specifier))
    .filter((reason) => reason !== undefined)
    .map((reason) => `src/${path}: ${reason}`),
);
for (const line of faults) console.error(line);
console.log(`${files.length} files, ${faults.length} imports against the layers`);
process.exitCode = faults.length === 0 ? 0 : 1;

function importsOf(path) {
  const text = readFileSync(join(source, path), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map((it) => it.fileName);
}

function fault(path, specifier) {
  const from = folderOf(path);
  if (!specifier.startsWith('.')) return packageFault(from, specifier);
  const target = relative(source, join(source, dirname(path), specifier));
  if (target.startsWith('..')) {
    return isTest(path) ? undefined : `imports ${specifier}, outside src/`;
  }
  if (isTest(target) && !isTest(path)) return `imports ${specifier}, which is not published`;
  const to = folderOf(target);
  if (from === to) return undefined;
  if (from === 'testing') return to === 'errors' ? undefined : `testing/ imports ${to}/`;
  if (to === 'testing') {
    const mayServe = from === 'cli' || isTest(path);
    return mayServe ? undefined : `${from}/ imports testing/`;
  }
  for (const folder of [from, to]) {
    if (!levelOf.has(folder)) return `${folder} has no level in scripts/check-layers.mjs`;
  }
  if (levelOf.get(to) <= levelOf.get(from)) return undefined;
  return `${from}/ imports ${to}/, which lies above it (${specifier})`;
}

function packageFault(from, specifier) {
  const name = Object.keys(owners).find((it) => specifier === it || specifier.startsWith(`${it}/`));
  if (name === undefined || owners[name].includes(from)) return undefined;
  return `imports ${name}; only ${owners[name].map((it) => `${it}/`).join(', ')} may`;
}

/** Tests and what only they use. */
function isTest(path) {
  return /\.test(-d|-support)?\.ts$|(^|\/)(__fixtures__|(test-)?fixtures)\//.test(path);
}

function folderOf(path) {
  return path.split(sep)[0];
}
