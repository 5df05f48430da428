import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessLockHeld, readLockHolder } from '../database/process-lock.ts';

/** The processes that made themselves known in a run directory. */
export interface RunProcesses {
  readonly living: readonly LivingProcess[];
  /** Lock files of processes that are gone. */
  readonly dead: readonly string[];
}

/** A process that works in a run directory now. */
export interface LivingProcess {
  /** 0 when it left no readable name. */
  readonly pid: number;
  /** ISO time of its start; empty when it left no readable name. */
  readonly since: string;
}

/** A process makes its file before it takes the lock; a younger file may be one of those. */
const youngMs = 60_000;

/** Looks for the processes of a run directory. Looks only. */
export function runProcesses(runDir: string): RunProcesses {
  const living: LivingProcess[] = [];
  const dead: string[] = [];
  for (const path of lockFiles(join(runDir, 'locks'))) {
    if (isProcessLockHeld(path)) {
      const { pid = 0, since = '' } = readLockHolder(path) ?? {};
      living.push({ pid, since });
    } else if (isOld(path)) {
      dead.push(path);
    }
  }
  return { living, dead };
}

function lockFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^process-.*\.lock$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isOld(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > youngMs;
}
