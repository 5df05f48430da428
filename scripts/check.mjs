// Every check of the package, one after the other; a red one does not hide the next.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './setup-state.mjs';

const checks = [
  ['format', 'biome', 'format', '--error-on-warnings'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  ['layers', 'node', 'scripts/check-layers.mjs'],
  ['habits', 'node', 'scripts/check-habits.mjs'],
  ['types', 'tsc', '-p', 'tsconfig.json', '--declaration'],
  ['unused', 'knip', '--no-progress'],
  ['comments', 'typedoc', '--logLevel', 'Warn'],
  ['package', 'publint', '--strict'],
  ['docs', 'node', 'scripts/check-docs.mjs'],
];

const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
const asked = process.argv.slice(2);
const chosen = checks.filter(([name]) => asked.length === 0 || asked.includes(name));
const results = chosen.map(([name, command, ...args]) => {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`);
  const startMs = performance.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { name, isGood: status === 0, seconds: (performance.now() - startMs) / 1000 };
});

console.log('\n== summary');
for (const { name, isGood, seconds } of results) {
  console.log(`${isGood ? 'pass' : 'FAIL'}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`);
}
process.exitCode = results.length > 0 && results.every((it) => it.isGood) ? 0 : 1;
