import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  endForkedScripts,
  type ForkedScript,
  forkReadyScripts,
  forkScript,
} from '../files/__fixtures__/fork-script.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { lockPath } from './lock-path.ts';
import {
  acquireProcessLock,
  type LockRefusal,
  type ProcessLock,
  withLockFile,
} from './process-lock.ts';

const makeDirectory = temporaryDirectories();
const bystanders: number[] = [];
afterEach(() => {
  endForkedScripts();
  for (const pid of bystanders.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with its parent's orderly end.
    }
  }
});

const holdLock = new URL('./__fixtures__/hold-lock.ts', import.meta.url);
const self = { pid: process.pid, since: '2026-01-01T00:00:00.000Z', what: 'this test' };

async function startHolder(path: string): Promise<ForkedScript> {
  const child = forkScript(holdLock, path);
  bystanders.push(Number(await child.next()));
  return child;
}

async function told(child: ForkedScript): Promise<unknown> {
  child.send('take it');
  return child.next();
}

function taken(result: ProcessLock | LockRefusal): ProcessLock {
  if ('holder' in result) throw new Error(`refused: ${JSON.stringify(result.holder)}`);
  return result;
}

describe('acquireProcessLock', () => {
  it('tells who has the lock', async () => {
    const path = lockPath(makeDirectory(), 'flow night');
    const child = await startHolder(path);
    expect(await told(child)).toBe('held');
    expect(acquireProcessLock(path, self)).toEqual({
      holder: { pid: child.pid, since: '2026-01-02T03:04:05.000Z', what: 'flow "night"' },
    });
    child.send('let go');
    await child.finished();
    taken(acquireProcessLock(path, self)).release();
  }, 60_000);

  it('is free at once after kill -9 of its owner, though a child of the owner lives', async () => {
    const path = lockPath(makeDirectory(), 'flow');
    const child = await startHolder(path);
    expect(await told(child)).toBe('held');
    await child.kill9();
    const bystander = bystanders.at(-1) ?? 0;
    expect(process.kill(bystander, 0)).toBe(true);
    taken(acquireProcessLock(path, self)).release();
  }, 60_000);

  it('goes to one of several processes that want it at once, and all know which', async () => {
    const path = lockPath(makeDirectory(), 'flow');
    const { children, messages } = await forkReadyScripts(holdLock, Array(5).fill([path]));
    bystanders.push(...messages.map(Number));
    const answers = await Promise.all(children.map(told));
    const winner = children[answers.indexOf('held')];
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
    for (const answer of answers) {
      if (answer !== 'held') expect(answer).toMatchObject({ pid: winner?.pid });
    }
  }, 60_000);

  it('refuses a second time in the same process, until it is released', () => {
    const path = lockPath(makeDirectory(), 'flow');
    const lock = taken(acquireProcessLock(path, self));
    expect(acquireProcessLock(path, self)).toEqual({ holder: self });
    lock.release();
    lock.release();
    taken(acquireProcessLock(path, self)).release();
  });

  it('leaves no name behind when it is released', () => {
    const path = lockPath(makeDirectory(), 'flow');
    taken(acquireProcessLock(path, self)).release();
    expect(existsSync(`${path}.json`)).toBe(false);
  });

  it('knows no holder when the name is unreadable, and is not had all the same', () => {
    const path = lockPath(makeDirectory(), 'flow');
    const lock = taken(acquireProcessLock(path, self));
    writeFileSync(`${path}.json`, '{"pid": "x"');
    expect(acquireProcessLock(path, self)).toEqual({ holder: null });
    rmSync(`${path}.json`);
    expect(acquireProcessLock(path, self)).toEqual({ holder: null });
    lock.release();
  });

  it('leaves locks of other names free', () => {
    const runDir = makeDirectory();
    const one = taken(acquireProcessLock(lockPath(runDir, 'one'), self));
    const two = taken(acquireProcessLock(lockPath(runDir, 'two'), self));
    one.release();
    two.release();
  });
});

describe('withLockFile', () => {
  it('lets go when the work throws', () => {
    const path = lockPath(makeDirectory(), 'setup');
    const failing = (): never => {
      throw new Error('inside');
    };
    expect(() => withLockFile(path, 100, failing)).toThrow('inside');
    expect(withLockFile(path, 100, () => 'again')).toBe('again');
  });

  it('gives up when the time is over', () => {
    const path = lockPath(makeDirectory(), 'setup');
    const outcome = (): string =>
      withLockFile(path, 100, () => withLockFile(path, 20, () => 'both'));
    expect(outcome).toThrow('database is locked');
  });
});
