import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Makes a folder whose content no one commits by accident: a new one gets a `.gitignore` of `*`.
 *
 * A folder that holds something already is left as it is, with or without `.gitignore`.
 *
 * @throws the file system's error when the folder cannot be made or written.
 */
export function ensurePrivateDirectory(path: string): void {
  const made = mkdirSync(path, { recursive: true });
  // An empty folder may be one whose maker was killed before it wrote the file.
  if (made === undefined && readdirSync(path).length > 0) return;
  try {
    writeFileSync(join(path, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
