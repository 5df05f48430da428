import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';
import { fileStamp } from './file-stamp.ts';
import { syncDirectory } from './sync-directory.ts';

/** What {@link setAside} moves along, and when. */
export interface SetAsideOptions {
  /** Suffixes of files that belong to the path (`-wal`); those that exist move with it. */
  readonly companions?: readonly string[];
  /** Time of the new name, in local time. Now when absent. */
  readonly at?: Date;
}

/**
 * Moves a damaged or foreign file out of the way, under a name that nothing had before.
 *
 * The new name is `<path>.<reason>-<YYYYmmdd-HHMMSS>`, with `-2`, `-3` ... when that is taken.
 * The path itself moves last, so a kill in between leaves it to be found again.
 *
 * @returns the new path.
 * @throws the file system's error, `ENOENT` when there is nothing to move.
 */
export function setAside(path: string, reason: string, options: SetAsideOptions = {}): string {
  const companions = options.companions ?? [];
  const stem = `${path}.${reason}-${fileStamp(options.at ?? new Date())}`;
  const target = reserve(stem, companions, statSync(path).isDirectory());
  for (const suffix of companions) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  renameSync(path, target);
  syncDirectory(dirname(path));
  return target;
}

/** Takes the first free name by making an empty entry there, which the rename then replaces. */
function reserve(stem: string, companions: readonly string[], isDirectory: boolean): string {
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? stem : `${stem}-${count}`;
    if (companions.some((suffix) => existsSync(target + suffix))) continue;
    try {
      if (isDirectory) mkdirSync(target);
      else closeSync(openSync(target, 'wx', 0o600));
      return target;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
