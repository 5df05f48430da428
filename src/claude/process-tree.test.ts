import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findProcess } from './process-list.ts';
import { descendants, endTree, isAlive, processStart } from './process-tree.ts';

let directory: string;
let mark: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-tree-'));
  mark = `tree-${process.pid}-${directory.slice(-6)}`;
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await endTree({ mark });
  rmSync(directory, { recursive: true, force: true });
});

describe('endTree', () => {
  it('ends children, sessions of their own, daemons and those that ignore SIGTERM', async () => {
    const root = startBash(`
      note='echo $$ >>"$PIDS"; exec sleep 600'
      echo $$ >>"$PIDS"
      setsid sh -c "$note" &
      nohup sh -c "$note" >/dev/null 2>&1 &
      sh -c "trap '' TERM HUP INT; echo \\$\\$ >>\\"\\$PIDS\\"; while :; do sleep 600; done" &
      ( ( setsid sh -c "$note" & ) & )
      wait
    `);
    const pids = await notedPids(5);

    const { ended, left } = await endTree({ pid: root, start: startOf(root), mark });

    expect(ended).toEqual(expect.arrayContaining(pids));
    expect(left).toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('ends strays whose root is gone', async () => {
    const root = startBash('setsid sh -c \'echo $$ >>"$PIDS"; exec sleep 600\' & wait');
    const start = startOf(root);
    const pids = await notedPids(1);
    process.kill(root, 'SIGKILL');
    await expect.poll(() => isRunning(root)).toBe(false);

    const { ended } = await endTree({ pid: root, start, mark });

    expect(ended).toEqual(pids);
  });

  it('ends a process without the mark as long as it hangs on the root', async () => {
    const root = startBash(
      'env -i PIDS="$PIDS" setsid sh -c \'echo $$ >>"$PIDS"; sleep 600\' & wait',
    );
    const pids = await notedPids(1);

    const { ended } = await endTree({ pid: root, start: startOf(root), mark });

    expect(ended).toEqual(expect.arrayContaining(pids));
  });

  it('catches a process that forks a successor and exits, again and again', async () => {
    const hopper = join(directory, 'hop');
    const root = startBash(`
      printf '%s' 'echo $$ >>"$PIDS"; setsid sh "$0" & exit 0' >"${hopper}"
      sh "${hopper}" & wait; sleep 600
    `);
    await expect.poll(() => readPids().length, { timeout: 10_000 }).toBeGreaterThan(5);

    const { left } = await endTree({ pid: root, start: startOf(root), mark });

    expect(left).toEqual([]);
    const hops = readPids().length;
    const probe = spawn('sh', ['-c', 'sleep 0.1']);
    await once(probe, 'exit');
    expect(readPids()).toHaveLength(hops);
  });

  it('lets no child without the mark slip away while its parent forks', async () => {
    const script = 'while :; do sh -c "echo \\$\\$ >>$PIDS; exec sleep 600" & sleep 0.01; done';
    const root = startBash(`exec env -i PATH="$PATH" PIDS="$PIDS" bash -c '${script}'`);
    await expect.poll(() => readPids().length, { timeout: 10_000 }).toBeGreaterThan(10);

    await endTree({ pid: root, start: startOf(root), mark });

    expect(readPids().filter(isRunning)).toEqual([]);
  });

  it('leaves a process with a reused pid alone', async () => {
    const root = startBash('exec sleep 600', { FLOWER_MARK: 'another' });

    const result = await endTree({ pid: root, start: `${startOf(root)}0`, mark });

    expect(result).toEqual({ ended: [], left: [] });
    expect(isRunning(root)).toBe(true);
  });

  it('leaves the root alone when its start is not known', async () => {
    const root = startBash('exec sleep 600', { FLOWER_MARK: 'another' });

    await endTree({ pid: root, mark });

    expect(isRunning(root)).toBe(true);
  });

  it('never ends this process or what it descends from', async () => {
    const ancestor = process.ppid;
    const bystander = startBash('exec sleep 600', { FLOWER_MARK: 'another' });
    await expect.poll(() => findProcess(bystander)).toBeDefined();

    // The whole tree of our parent, taken from a process that must survive it, would hold ourselves.
    const host = spawn(
      process.execPath,
      [new URL('./test-fixtures/ends-its-parent.mjs', import.meta.url).pathname],
      {
        env: { ...process.env, FLOWER_MARK: mark, HOME: directory },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [answer] = (await once(host.stdout, 'data')) as [Buffer];
    const [exitCode] = (await once(host, 'exit')) as [number | null];

    expect(JSON.parse(answer.toString())).toEqual({ ended: [], left: [] });
    expect(exitCode).toBe(0);
    expect(isRunning(ancestor)).toBe(true);
  });
});

describe('isAlive', () => {
  it('holds for the very process only', () => {
    const start = startOf(process.pid);

    expect(isAlive(process.pid, start)).toBe(true);
    expect(isAlive(process.pid, `${start}1`)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('does not hold for a zombie', async () => {
    // The shell never reaps its child, because exec put a sleep in its place.
    startBash('sh -c \'echo $$ >>"$PIDS"\' & exec sleep 600');
    const [pid = 0] = await notedPids(1);
    await expect.poll(() => findProcess(pid)?.isZombie).toBe(true);

    expect(isAlive(pid, startOf(pid))).toBe(false);
  });
});

describe('descendants', () => {
  const entry = (pid: number, parentPid: number, isZombie = false) => ({
    pid,
    parentPid,
    start: 's',
    isZombie,
    isStopped: false,
  });

  it.each([
    ['children before grandchildren', [entry(4, 3), entry(3, 2), entry(5, 2)], [3, 5, 4]],
    ['nothing foreign', [entry(3, 1), entry(4, 3)], []],
    ['what hangs below a zombie, without the zombie', [entry(3, 2, true), entry(4, 3)], [4]],
    ['an end even in a circle', [entry(3, 2), entry(2, 3)], [3]],
  ])('gives %s', (_what, processes, expected) => {
    expect(descendants(2, processes)).toEqual(expected);
  });
});

function startBash(script: string, env: Record<string, string> = {}): number {
  const child = spawn('bash', ['-c', script], {
    detached: true,
    env: { ...process.env, FLOWER_MARK: mark, PIDS: join(directory, 'pids'), ...env },
    stdio: 'ignore',
  });
  children.push(child);
  if (child.pid === undefined) throw new Error('bash was not started');
  return child.pid;
}

function readPids(): number[] {
  const path = join(directory, 'pids');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number);
}

async function notedPids(count: number): Promise<number[]> {
  await expect.poll(() => readPids().length, { timeout: 10_000 }).toBe(count);
  return readPids();
}

function startOf(pid: number): string {
  const start = processStart(pid);
  if (start === undefined) throw new Error(`No process ${pid}`);
  return start;
}

function isRunning(pid: number): boolean {
  const found = findProcess(pid);
  return found !== undefined && !found.isZombie;
}
