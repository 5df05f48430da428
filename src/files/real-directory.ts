import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FlowerError } from '../errors/flower-error.ts';

/**
 * Real path of a workspace.
 *
 * @throws FlowerError `workspace-missing`
 */
export function realDirectory(path: string): string {
  const absolute = resolve(path);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new FlowerError('workspace-missing', { path: absolute });
  }
  return realpathSync.native(absolute);
}
