import { accessSync, constants, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { FlowerError } from '../errors/flower-error.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';

/**
 * Makes the run directory when it is missing; its real path.
 *
 * @param path - Resolved against the current directory.
 * @throws FlowerError `run-dir-unwritable`
 */
export function writableRunDir(path: string): string {
  const absolute = resolve(path);
  try {
    ensurePrivateDirectory(absolute);
    accessSync(absolute, constants.W_OK | constants.X_OK);
    return realpathSync.native(absolute);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new FlowerError('run-dir-unwritable', { path: absolute, detail }, { cause: error });
  }
}
