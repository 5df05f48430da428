import { createHash } from 'node:crypto';
import { join } from 'node:path';

/**
 * Path of a named lock: `<runDir>/locks/<readable part>-<hash>.lock`.
 *
 * Any name will do (flow names hold `/` and any script); different names never share a lock, also
 * where the file system ignores case.
 */
export function lockPath(runDir: string, name: string): string {
  const readable = name
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return join(runDir, 'locks', `${readable === '' ? 'lock' : readable}-${hash}.lock`);
}
