// What no linter says: a suppression hides a fault, `export *` makes things public by accident, and
// a note about later work is forgotten in a comment.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup-state.mjs';

const rules = [
  [/(eslint|oxlint)-disable|biome-ignore (?!format)|@ts-(ignore|nocheck)/, 'suppresses a check'],
  [/^export \* /m, 'exports everything of another file'],
  [/\/\/.*\b(TODO|FIXME|XXX)\b/, 'leaves a note for later'],
];
const self = join('scripts', 'check-habits.mjs');

const files = ['src', 'e2e', 'bench', 'examples', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.(ts|mjs)$/.test(path))
    .map((path) => join(folder, path)),
);
const faults = files
  .filter((path) => path !== self)
  .flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return rules.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${path}: ${what}`);
  });
for (const line of faults) console.error(line);
console.log(`${files.length} files, ${faults.length} bad habits`);
process.exitCode = faults.length === 0 ? 0 : 1;
