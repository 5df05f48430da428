import { join } from 'node:path';
import { isBusy, isDamage, isDiskTrouble } from '../database/sqlite-errors.ts';
import { markSuspect } from '../database/suspect.ts';
import { FlowerError } from '../errors/flower-error.ts';

/**
 * Trouble with the disk of a run directory as an error that says what to do; any other error as it
 * is. Damage is noted, so that the next opening looks through the whole database.
 */
export function diskError(error: unknown, runDir: string): unknown {
  if (!isDiskTrouble(error)) return error;
  const path = join(runDir, 'sessions.db');
  if (isBusy(error)) return new FlowerError('database-locked', { path }, { cause: error });
  if (isDamage(error)) {
    markSuspect(path);
    return new FlowerError('database-damaged', { path }, { cause: error });
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new FlowerError('run-dir-unwritable', { path: runDir, detail }, { cause: error });
}

/**
 * Does `work` in a run directory.
 *
 * @throws FlowerError `run-dir-unwritable`, `database-locked`, `database-damaged`; what `work` throws.
 */
export async function withDiskErrors<Result>(
  runDir: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, runDir);
  }
}
