import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { Leases } from './leases.ts';

const makeDirectory = temporaryDirectories();
const opened: { leases: Leases; database: RunDatabase }[] = [];

afterEach(() => {
  for (const { leases, database } of opened.splice(0)) {
    leases.close();
    database.close();
  }
});

interface Scene {
  /** Milliseconds that have passed. */
  readonly clock: { ms: number };
  /** Runs whose process is stopped. */
  readonly stopped: Set<number>;
  readonly lost: string[];
  process(run: string, pid: number): { leases: Leases; database: RunDatabase };
}

function setScene(): Scene {
  const runDir = makeDirectory();
  const clock = { ms: 0 };
  const stopped = new Set<number>();
  const lost: string[] = [];
  return {
    clock,
    stopped,
    lost,
    process: (run, pid) => {
      const database = openRunDatabase(join(runDir, 'sessions.db'));
      const leases = new Leases({
        database,
        runDir,
        run,
        host: { pid, start: 'token' },
        now: () => new Date(1_700_000_000_000 + clock.ms),
        isStopped: (holder) => stopped.has(holder),
        onLost: (name) => lost.push(`${run}: ${name}`),
      });
      opened.push({ leases, database });
      return { leases, database };
    },
  };
}

function generationOf(result: ReturnType<Leases['acquire']>): number {
  if ('holder' in result) throw new Error(`held by ${result.holder.pid}`);
  return result.generation;
}

describe('Leases', () => {
  it('gives a name to one process at a time and says who has it', () => {
    const { process } = setScene();
    const first = process('run-1', 11).leases;
    const second = process('run-2', 22).leases;
    expect(generationOf(first.acquire('flow a'))).toBe(1);
    expect(second.acquire('flow a')).toMatchObject({ holder: { pid: 11 } });
    expect(generationOf(second.acquire('flow b'))).toBe(1);
  });

  it('refuses a second time in the same process', () => {
    const { leases } = setScene().process('run-1', 11);
    leases.acquire('flow a');
    expect(leases.acquire('flow a')).toHaveProperty('holder');
  });

  it('counts generations over releases', () => {
    const { process } = setScene();
    const first = process('run-1', 11).leases;
    const lease = first.acquire('flow a');
    if ('release' in lease) lease.release();
    expect(generationOf(process('run-2', 22).leases.acquire('flow a'))).toBe(2);
  });

  it('is free when its process ended without a release', () => {
    const { process } = setScene();
    const { leases } = process('run-1', 11);
    leases.acquire('flow a');
    leases.close();
    expect(generationOf(process('run-2', 22).leases.acquire('flow a'))).toBe(2);
  });

  it.each([
    ['works', 60_000, false],
    ['was stopped a moment ago', 10_000, true],
  ])('is not taken from a process that %s', (_what, silentMs, isStopped) => {
    const { process, clock, stopped } = setScene();
    process('run-1', 11).leases.acquire('flow a');
    if (isStopped) stopped.add(11);
    clock.ms += silentMs;
    expect(process('run-2', 22).leases.acquire('flow a')).toHaveProperty('holder');
  });

  it('is taken from a process that stays stopped, which can write nothing any more', async () => {
    const { process, clock, stopped, lost } = setScene();
    const old = process('run-1', 11);
    old.leases.acquire('flow a');
    stopped.add(11);
    clock.ms += 20_000;
    const taken = process('run-2', 22).leases.acquire('flow a');
    expect(taken).toMatchObject({ generation: 2, takenFrom: 'run-1' });
    const write = (): unknown => old.database.immediate(() => 'written');
    expect(write).toThrow(expect.objectContaining({ code: 'lease-lost' }));
    expect(write).toThrow(expect.objectContaining({ code: 'lease-lost' }));
    await expect.poll(() => lost).toEqual(['run-1: flow a']);
  });

  it('lets a process write that has given its lease back', () => {
    const { process } = setScene();
    const old = process('run-1', 11);
    const lease = old.leases.acquire('flow a');
    if ('release' in lease) lease.release();
    process('run-2', 22).leases.acquire('flow a');
    expect(old.database.immediate(() => 'written')).toBe('written');
  });

  it('knows whether another living process holds anything here', () => {
    const { process } = setScene();
    const first = process('run-1', 11).leases;
    const second = process('run-2', 22).leases;
    first.acquire('flow a');
    expect(first.otherHolder()).toBeUndefined();
    expect(second.otherHolder()).toMatchObject({ pid: 11 });
    first.close();
    expect(second.otherHolder()).toBeUndefined();
  });
});
