import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../files/error-code.ts';

/** Makes a new folder: two histories closed in one second must not share one. */
export function makeArchiveFolder(stem: string): string {
  mkdirSync(dirname(stem), { recursive: true, mode: 0o700 });
  for (let count = 1; ; count += 1) {
    const folder = count === 1 ? stem : `${stem}-${count}`;
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Moves a file into the folder; one that is missing or cannot be moved is passed over. */
export function moveIntoFolder(folder: string, path: string): void {
  try {
    renameSync(path, join(folder, basename(path)));
  } catch {
    // Missing, or not to be moved: the history is closed all the same.
  }
}
