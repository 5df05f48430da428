import { closeSync, fsyncSync, openSync } from 'node:fs';
import { errorCode } from './error-code.ts';

/** File systems that cannot sync a folder answer with one of these; there is nothing to wait for. */
const unsupported = new Set(['EINVAL', 'ENOTSUP']);

/**
 * Makes the names inside a folder durable: renames and new files are on disk when it returns.
 *
 * @throws the file system's error, except where a folder cannot be synced at all.
 */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!unsupported.has(errorCode(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}
