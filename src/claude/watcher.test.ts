import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { findProcess } from './process-list.ts';
import { endTree, processStart } from './process-tree.ts';
import { startWatcher, type Watcher } from './watcher.ts';

const fixture = new URL('./test-fixtures/watched-host.mjs', import.meta.url).pathname;

/** Children of every kind that outlive a plain kill; each adds its pid to `$PIDS`. */
const stubbornTree = `
  note='echo $$ >>"$PIDS"; exec sleep 600'
  echo $$ >>"$PIDS"
  sh -c "$note" &
  setsid sh -c "$note" &
  nohup sh -c "$note" >/dev/null 2>&1 &
  sh -c "trap '' TERM HUP INT; echo \\$\\$ >>\\"\\$PIDS\\"; while :; do sleep 600; done" &
  ( ( setsid sh -c "trap '' TERM HUP; $note" & ) & )
  env -i PIDS="$PIDS" setsid sh -c "$note" &
  wait
`;
const treeSize = 7;

interface Host {
  readonly process: ChildProcess;
  readonly watcherPid: number;
}

let directory: string;
let mark: string;
let hosts: Host[];
let seen: { pid: number; start: string }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-watcher-'));
  mark = `watch-${process.pid}-${directory.slice(-6)}`;
  hosts = [];
  seen = [];
});

afterEach(async () => {
  for (const host of hosts) host.process.kill('SIGKILL');
  // First the watchers: what has no mark is found only as long as its parent lives.
  await gone(hosts.map((host) => host.watcherPid));
  for (const stray of [...seen, { mark }]) await endTree(stray);
  rmSync(directory, { recursive: true, force: true });
});

describe.runIf(process.platform === 'linux')('watcher', () => {
  const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(existsSync);
  const shells: [string, [string, ...string[]]][] = [
    ['sh', ['sh']],
    ['bash', ['bash']],
    ['bash in POSIX mode', ['bash', '--posix']],
  ];
  if (busybox !== undefined) shells.push(['busybox', [busybox, 'sh']]);

  it.each(shells)('ends the whole tree of a killed host (%s)', async (_name, shell) => {
    const host = await startHost({ shell });
    const pids = await treePids();
    const killedAt = performance.now();

    host.process.kill('SIGKILL');
    await gone(pids);

    expect(performance.now() - killedAt).toBeLessThan(3_000);
    await gone([host.watcherPid]);
  });

  it('works with ps where there is no process file system', async () => {
    const host = await startHost({ processDirectory: join(directory, 'no-such-directory') });
    const pids = await treePids();

    host.process.kill('SIGKILL');
    await gone(pids);
  });

  it('catches a process that forks a successor and exits, again and again', async () => {
    const hopper = join(directory, 'hop');
    const script = `
      printf '%s' 'echo $$ >>"$PIDS"; setsid sh "$0" & exit 0' >"${hopper}"
      sh "${hopper}" & wait; sleep 600
    `;
    const host = await startHost({ script });
    await expect.poll(() => notedPids().length, { timeout: 10_000 }).toBeGreaterThan(5);

    host.process.kill('SIGKILL');
    await gone([host.watcherPid]);

    const hops = notedPids().length;
    await once(spawn('sleep', ['0.2']), 'exit');
    expect(notedPids()).toHaveLength(hops);
  });

  it('leaves foreign processes alone', async () => {
    const foreign = spawn('sleep', ['600'], { env: { ...process.env, FLOWER_MARK: `${mark}x` } });
    const host = await startHost({});
    const pids = await treePids();

    host.process.kill('SIGKILL');
    await gone([...pids, host.watcherPid]);

    expect(foreign.exitCode).toBeNull();
    expect(isRunning(foreign.pid)).toBe(true);
    foreign.kill('SIGKILL');
  });

  it('touches nothing when the host says good-bye', async () => {
    const host = await startHost({});
    const pids = await treePids();

    host.process.stdin?.end();
    await once(host.process, 'exit');
    await gone([host.watcherPid]);

    expect(pids.filter(isRunning)).toEqual(pids);
  });

  it('survives the signals of a closing terminal', async () => {
    const host = await startHost({});
    const pids = await treePids();
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
      process.kill(host.watcherPid, signal);
    }

    host.process.kill('SIGKILL');
    await gone(pids);
  });

  it('carries neither the mark nor anything else of the environment of its host', async () => {
    const host = await startHost({ env: { FLOWER_MARK: mark } });
    const environment = readFileSync(`/proc/${host.watcherPid}/environ`, 'utf8');

    expect(environment.split('\0').map((entry) => entry.split('=')[0])).toEqual([
      'PATH',
      'SHLVL',
      '',
    ]);
  });

  it('lives in a session of its own', async () => {
    const host = await startHost({});

    expect(sessionOf(host.watcherPid)).toBe(host.watcherPid);
  });
});

describe('startWatcher', () => {
  let watcher: Watcher | undefined;

  afterEach(() => watcher?.stop());

  it('is started again when somebody ends it', async () => {
    const own = startWatcher();
    watcher = own;
    const first = own.pid;
    if (first === undefined) throw new Error('not started');

    process.kill(first, 'SIGKILL');

    await expect.poll(() => own.pid !== first && isRunning(own.pid)).toBe(true);
  });

  it('reports a shell that cannot be started', async () => {
    const onLost = vi.fn<(error: Error) => void>();
    watcher = startWatcher({ shell: [join(directory, 'no-such-shell')], onLost });
    watcher.add(process.pid, 'nothing');

    await expect.poll(() => onLost.mock.calls[0]?.[0].message).toContain('ENOENT');
  });

  it('refuses a mark that a shell could misread', () => {
    const own = startWatcher();
    watcher = own;

    expect(() => own.add(1, 'a b')).toThrow(TypeError);
  });
});

async function startHost(options: {
  readonly shell?: readonly string[];
  readonly processDirectory?: string;
  readonly env?: Record<string, string>;
  readonly script?: string;
}): Promise<Host> {
  const { env, ...rest } = options;
  const argument = JSON.stringify({ mark, script: stubbornTree, ...rest });
  const host = spawn(process.execPath, [fixture, argument], {
    env: { ...process.env, ...env, HOME: directory, PIDS: pidFile() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
  const { watcher } = JSON.parse(line) as { watcher: number };
  const started = { process: host, watcherPid: watcher };
  hosts.push(started);
  return started;
}

async function treePids(): Promise<number[]> {
  await expect.poll(() => notedPids().length, { timeout: 10_000 }).toBe(treeSize);
  const pids = notedPids();
  seen.push(...pids.map((pid) => ({ pid, start: processStart(pid) ?? '' })));
  return pids;
}

function notedPids(): number[] {
  if (!existsSync(pidFile())) return [];
  return readFileSync(pidFile(), 'utf8').split('\n').filter(Boolean).map(Number);
}

function pidFile(): string {
  return join(directory, 'pids');
}

async function gone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000, interval: 5 }).toEqual([]);
}

function isRunning(pid: number | undefined): boolean {
  const found = pid === undefined ? undefined : findProcess(pid);
  return found !== undefined && !found.isZombie;
}

function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
