import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type AgentProcessOptions, type SpawnAgent, spawnAgentProcess } from './child-process.ts';
import { findProcess } from './process-list.ts';
import { endTree, processStart } from './process-tree.ts';
import { startWatcher, type Watcher } from './watcher.ts';

let directory: string;
let mark: string;
let watcher: Watcher;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-child-'));
  mark = `child-${process.pid}-${directory.slice(-6)}`;
  watcher = startWatcher();
});

afterEach(async () => {
  await endTree({ mark });
  watcher.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('spawnAgentProcess', () => {
  it('leads a group of its own and carries the mark', async () => {
    const spawnAgent = makeAgent();
    const agent = spawnAgent(bash('ps -o pgid= -p $$; echo "$FLOWER_MARK $$"; read line'));

    const [group, ownMark, pid] = (await readWords(agent.stdout, 3)) as [string, string, string];

    expect(group).toBe(pid);
    expect(ownMark).toBe(mark);
    await spawnAgent.end();
  });

  it('says pid and start before anything can be written to the process', async () => {
    const onStart = vi.fn<(pid: number, start: string) => void>();
    const spawnAgent = makeAgent({ onStart });
    spawnAgent(bash('read line'));

    const [pid = 0, start] = onStart.mock.calls[0] ?? [];
    expect(start).toBe(processStart(pid));
    await spawnAgent.end();
  });

  it('ends the process when onStart fails', async () => {
    let started = 0;
    const spawnAgent = makeAgent({
      onStart: (pid) => {
        started = pid;
        throw new Error('not recorded');
      },
    });

    expect(() => spawnAgent(bash('sleep 600'))).toThrow('not recorded');
    await expect.poll(() => isRunning(started)).toBe(false);
  });

  it('ends the whole tree, strays included, and waits for the exit', async () => {
    const spawnAgent = makeAgent();
    const agent = spawnAgent(bash(tree));
    const pids = await notedPids(3);

    const { ended, left } = await spawnAgent.end();

    expect(ended).toEqual(expect.arrayContaining(pids));
    expect(left).toEqual([]);
    expect(agent.signalCode).toBe('SIGKILL');
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends the tree at %s', async (signal) => {
    const agent = makeAgent()(bash(tree));
    const pids = await notedPids(3);

    expect(agent.kill(signal)).toBe(true);

    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => agent.signalCode).toBe('SIGKILL');
    expect(agent.killed).toBe(true);
    expect(agent.kill(signal)).toBe(false);
  });

  it('ends the tree when the signal of the SDK aborts', async () => {
    const abort = new AbortController();
    makeAgent()(bash(tree, abort.signal));
    const pids = await notedPids(3);

    abort.abort();

    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it('ends at once when the signal was aborted before', async () => {
    const agent = makeAgent()(bash('sleep 600', AbortSignal.abort()));

    const [, signal] = (await exitOf(agent)) as [null, string];

    expect(signal).toBe('SIGKILL');
  });

  it('ends what the process left behind when it ends by itself', async () => {
    const agent = makeAgent()(
      bash('setsid sh -c \'echo $$ >>"$PIDS"; exec sleep 600\' & until [ -s "$PIDS" ]; do :; done'),
    );
    const exit = exitOf(agent);
    const pids = await notedPids(1);

    expect(await exit).toEqual([0, null]);

    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it('keeps the last 8 KB of standard error and hands all of it on', async () => {
    let text = '';
    const spawnAgent = makeAgent({ onStderr: (part) => void (text += part) });
    const agent = spawnAgent(bash('for i in $(seq 5000); do echo "row $i é" >&2; done'));
    await exitOf(agent);
    await spawnAgent.end();

    expect(spawnAgent.stderrTail().slice(-11)).toBe('row 5000 é\n');
    expect(spawnAgent.stderrTail()).toHaveLength(8_192);
    expect(text.split('\n')).toHaveLength(5_001);
  });

  it('survives writing to a process that has ended', async () => {
    const agent = makeAgent()(bash('exec 0<&-; exit 3'));
    await exitOf(agent);

    const failure = await new Promise((resolve) => {
      agent.stdin.write('x'.repeat(1_000_000), resolve);
    });

    expect(failure).toBeInstanceOf(Error);
    expect(agent.exitCode).toBe(3);
  });

  it.each([
    ['ENOENT', 'missing'],
    ['EACCES', 'forbidden'],
  ])('reports %s of the binary as an error event', async (code, name) => {
    writeFileSync(join(directory, 'forbidden'), 'not a program', { mode: 0o600 });
    const onStart = vi.fn<(pid: number, start: string) => void>();
    const spawnAgent = makeAgent({ onStart });
    const agent = spawnAgent({ ...bash(''), command: join(directory, name) });

    const error = await new Promise((resolve) => agent.once('error', resolve));

    expect(error).toMatchObject({ code });
    expect(onStart).not.toHaveBeenCalled();
    expect(await spawnAgent.end()).toEqual({ ended: [], left: [] });
  });

  it('passes other signals to the process alone', async () => {
    const spawnAgent = makeAgent();
    const agent = spawnAgent(
      bash('trap "echo caught" USR1; echo ready; while :; do sleep 0.01; done'),
    );
    await readWords(agent.stdout, 1);

    agent.kill('SIGUSR1');

    expect(await readWords(agent.stdout, 1)).toEqual(['caught']);
    await spawnAgent.end();
  });

  it('starts one process only', async () => {
    const spawnAgent = makeAgent();
    spawnAgent(bash('read line'));

    expect(() => spawnAgent(bash('read line'))).toThrow('started already');
    await spawnAgent.end();
  });

  it('ends nothing when nothing was started', async () => {
    expect(await makeAgent().end()).toEqual({ ended: [], left: [] });
  });
});

const tree = `
  note='echo $$ >>"$PIDS"; exec sleep 600'
  setsid sh -c "$note" &
  ( ( setsid sh -c "trap '' TERM; $note" & ) & )
  echo $$ >>"$PIDS"
  wait
`;

function makeAgent(options: Partial<AgentProcessOptions> = {}): SpawnAgent {
  return spawnAgentProcess({ mark, watcher, ...options });
}

function bash(script: string, signal = new AbortController().signal): SpawnOptions {
  return {
    command: 'bash',
    args: ['-c', script],
    cwd: directory,
    // The level keeps bash from reading start files because its input is a socket.
    env: { PATH: process.env['PATH'], SHLVL: '2', PIDS: join(directory, 'pids'), UNSET: undefined },
    signal,
  };
}

async function readWords(stream: NodeJS.ReadableStream, count: number): Promise<string[]> {
  let text = '';
  while (text.split(/\s+/).filter(Boolean).length < count) {
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    text += chunk.toString();
  }
  return text.split(/\s+/).filter(Boolean);
}

function exitOf(agent: ReturnType<SpawnAgent>): Promise<unknown[]> {
  return new Promise((resolve) => agent.once('exit', (...result) => resolve(result)));
}

async function notedPids(count: number): Promise<number[]> {
  const path = join(directory, 'pids');
  const read = (): number[] =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  await expect.poll(() => read().length, { timeout: 10_000 }).toBe(count);
  return read();
}

function isRunning(pid: number): boolean {
  const found = findProcess(pid);
  return found !== undefined && !found.isZombie;
}
