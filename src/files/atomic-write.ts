import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';
import { syncDirectory } from './sync-directory.ts';

/** A write takes milliseconds; a temporary file of this age has lost its writer. */
const leftoverAgeMs = 60_000;

/** How {@link writeFileDurably} writes. */
export interface WriteOptions {
  /**
   * Permissions of the file, exactly, whatever the umask says.
   *
   * @defaultValue 0o600
   */
  readonly mode?: number;
}

/**
 * Replaces a file whole: readers see the old text or the new one, never a part.
 *
 * Content and name are on disk when it returns. The folder must exist. Safe from several processes
 * at once (the last rename stands). Synchronous, so that it can run inside a database transaction.
 *
 * @throws the file system's error; the old file is untouched then, and no temporary file stays.
 */
export function writeFileDurably(path: string, text: string, options: WriteOptions = {}): void {
  const folder = dirname(path);
  removeLeftovers(folder, basename(path));
  const unique = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const temporary = join(folder, `.${basename(path)}.${unique}.tmp`);
  try {
    writeSynced(temporary, text, options.mode ?? 0o600);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(folder);
}

function writeSynced(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what writers of the same file left behind when they were killed. */
function removeLeftovers(folder: string, name: string): void {
  for (const candidate of readdirSync(folder)) {
    const writer = writerOf(candidate, name);
    if (writer !== undefined && isOld(join(folder, candidate)) && isGone(writer)) {
      rmSync(join(folder, candidate), { force: true });
    }
  }
}

function writerOf(candidate: string, name: string): number | undefined {
  if (!candidate.startsWith(`.${name}.`)) return undefined;
  const match = /^(\d+)-[0-9a-f]{12}\.tmp$/.exec(candidate.slice(name.length + 2));
  return match === null ? undefined : Number(match[1]);
}

function isOld(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > leftoverAgeMs;
}

/** Our own number counts as gone too: we write one file at a time, and a container reuses numbers. */
function isGone(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
