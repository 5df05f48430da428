// Makes a checkout ready to run: dependencies that match the lock file, a SQLite that loads, a
// fresh dist/. Plain Node, for nothing is installed when it first starts. Standard output stays empty.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headersEnvironment } from './node-headers.mjs';
import { withSetupLock } from './setup-lock.mjs';
import * as state from './setup-state.mjs';

const { root, dist } = state;
const say = (line) => process.stderr.write(`setup: ${line}\n`);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`flower needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
}
if (!state.isInstalled() || !(await sqliteLoads()) || !state.isBuilt()) {
  await withSetupLock(join(root, '.setup-lock'), say, async () => {
    if (!state.isInstalled()) await install();
    if (!(await sqliteLoads())) await rebuildSqlite();
    if (!state.isBuilt()) await build();
  });
}

async function install() {
  say(
    'installing dependencies, about 1-3 minutes: the Claude Code binary is 200-400 MB, and ' +
      'better-sqlite3 is compiled (C++ compiler, make, python3) if no prebuilt one can be fetched.',
  );
  // Said outright: NODE_ENV=production or an omit= in a user's .npmrc would leave half of it out.
  const npmCi = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  if (!(await run('npm', npmCi))) fail('npm ci failed; its messages stand above.');
  if (!state.hasAgentBinary()) {
    fail(`npm brought no Claude Code binary for ${process.platform}-${process.arch}; try again.`);
  }
  state.recordInstall();
}

async function rebuildSqlite() {
  say('better-sqlite3 does not load; building it, about a minute.');
  await run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false']);
  if (await sqliteLoads()) return;
  fail('better-sqlite3 could not be built; it needs a C++ compiler, make and python3.');
}

async function build() {
  say('building dist/, some seconds.');
  for (const name of readdirSync(root).filter((it) => it.startsWith('.dist-'))) remove(name);
  const fingerprint = state.sourceFingerprint();
  const tsc = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'];
  const isGood = await run(process.execPath, [...tsc, '--noEmitOnError', '--outDir', '.dist-next']);
  if (!isGood) {
    remove('.dist-next');
    fail('the build failed; the errors of tsc stand above.');
  }
  chmodSync(join(root, '.dist-next', 'cli', 'bin.js'), 0o755);
  writeFileSync(join(root, '.dist-next', state.builtFromName), fingerprint);
  // Swapped in whole: a process that runs from dist/ must not meet half of a build.
  if (existsSync(dist)) renameSync(dist, join(root, '.dist-old'));
  renameSync(join(root, '.dist-next'), dist);
  remove('.dist-old');
}

function sqliteLoads() {
  return run(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"], 'ignore');
}

function run(command, args, output = 2) {
  const env = { ...process.env, ...headersEnvironment() };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  const end = () => child.kill();
  process.on('exit', end);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  }).finally(() => process.off('exit', end));
}

function remove(name) {
  rmSync(join(root, name), { recursive: true, force: true });
}

function fail(line) {
  say(line);
  process.exit(1);
}
