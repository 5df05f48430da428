import { existsSync, rmSync } from 'node:fs';
import { lockPath } from '../database/lock-path.ts';
import { acquireProcessLock, type ProcessLock } from '../database/process-lock.ts';

/** The lock that a process holds as long as it lives. */
export interface ProcessPresence {
  /** Ends the presence; the process has nothing any more. */
  end(): void;
}

/**
 * Makes this process known in a run directory until it dies, however it dies.
 *
 * One operating-system lock for each process: what it holds is written in the database under its
 * mark, and counts as long as the lock does. Also right in containers, where a pid says little.
 *
 * @param run - Mark of the process; never used twice.
 */
export function announcePresence(
  runDir: string,
  run: string,
  self: { readonly pid: number; readonly since: string },
): ProcessPresence {
  const path = presencePath(runDir, run);
  const lock = acquireProcessLock(path, { ...self, what: run });
  if ('holder' in lock) throw new Error(`Two processes have the mark ${run}.`);
  return {
    end: () => {
      lock.release();
      rmSync(path, { force: true });
    },
  };
}

/** True while the process with this mark lives. */
export function isPresent(runDir: string, run: string): boolean {
  const path = presencePath(runDir, run);
  if (!existsSync(path)) return false;
  const lock = acquireProcessLock(path, { pid: process.pid, since: '', what: 'a look' });
  if ('holder' in lock) return true;
  removeLeft(lock, path);
  return false;
}

function removeLeft(lock: ProcessLock, path: string): void {
  lock.release();
  rmSync(path, { force: true });
}

/** The lock that a process with this mark holds while it lives. */
export function presencePath(runDir: string, run: string): string {
  return lockPath(runDir, `process-${run}`);
}
