import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunDatabase } from './run-database.ts';
import { errorCode } from '../files/error-code.ts';

/**
 * A file as it stands: absent, one of our own writings, or somebody else's. What cannot be read (a
 * folder, a file without permission) is foreign and empty.
 */
export type ViewFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'ours'; readonly text: string }
  | { readonly kind: 'foreign'; readonly text: string };

/** Which file, and the name under which the database remembers the texts that were written. */
export interface ViewFilePlace {
  readonly path: string;
  readonly file: string;
}

/** What stands in the file now. Looks only. */
export function readViewFile(
  connection: RunDatabase['connection'],
  { path, file }: ViewFilePlace,
): ViewFile {
  const text = readText(path);
  if (text === undefined) return { kind: 'absent' };
  const known = connection
    .prepare('SELECT 1 FROM file_views WHERE file = ? AND hash = ?')
    .get(file, viewHash(text));
  return { kind: known === undefined ? 'foreign' : 'ours', text };
}

/** True when the file was written at least once in its present history. Looks only. */
export function wasViewWritten(connection: RunDatabase['connection'], file: string): boolean {
  return connection.prepare('SELECT 1 FROM file_views WHERE file = ?').get(file) !== undefined;
}

/** How the database remembers a text. */
export function viewHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : '';
  }
}
