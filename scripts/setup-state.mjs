// What a checkout has already: the questions that setup.mjs asks before it does anything.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where the build goes. */
export const dist = join(root, 'dist');
/** The file in dist/ that says which sources it was built from. */
export const builtFromName = '.built-from';

const modules = join(root, 'node_modules');
const installedFrom = join(modules, '.flower-setup');
const lockFile = join(root, 'package-lock.json');

/** True when node_modules is what the lock file asks for, the agent binary included. */
export function isInstalled() {
  return hasAgentBinary() && (readText(installedFrom) === lockHash() || npmRecordAgrees());
}

/** Notes that node_modules was installed from the lock file as it stands. */
export function recordInstall() {
  writeFileSync(installedFrom, lockHash());
}

/** True when the optional package with Claude Code's binary for this machine is there. */
export function hasAgentBinary() {
  const name = `claude-agent-sdk-${process.platform}-${process.arch}`;
  const folders = [name, `${name}-musl`].map((it) => join(modules, '@anthropic-ai', it));
  return folders.some((folder) => existsSync(join(folder, 'claude')));
}

/** True when dist/ was built from the sources as they stand. */
export function isBuilt() {
  return readText(join(dist, builtFromName)) === sourceFingerprint();
}

/** Changes with every input of dist/, also when a file goes away or is replaced by an older one. */
export function sourceFingerprint() {
  const sources = readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !/\.test(-d|-support)?\.ts$/.test(path))
    .map((path) => join('src', path));
  const inputs = [...sources, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  const facts = inputs.sort().map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return sha256(facts.join('\n'));
}

/** npm writes its record last, so a killed `npm ci` has none, and one run by hand counts. */
function npmRecordAgrees() {
  const record = readText(join(modules, '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = Object.entries(JSON.parse(readText(lockFile)).packages);
  return wanted.every(([path, { version, optional }]) => {
    const found = installed[path]?.version;
    return path === '' || found === version || (optional === true && found === undefined);
  });
}

function lockHash() {
  return sha256(readText(lockFile) ?? '');
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
