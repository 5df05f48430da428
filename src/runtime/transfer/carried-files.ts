import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveLine, FileRoot } from './archive-line.ts';

/** A folder whose files go with a run. */
export interface CarriedFolder {
  readonly root: FileRoot;
  /** Folder that the paths are relative to. */
  readonly base: string;
  /** Folder below `base` to take; the whole of it by default. */
  readonly below?: string;
}

/** How many bytes one line carries. */
const lineBytes = 48_000;

/**
 * The lines of every plain file in a folder; symbolic links are passed over.
 *
 * @param redact - Applied to the text of each file; of a binary one to its bytes as Latin-1.
 */
export function* carriedFiles(
  { root, base, below = '' }: CarriedFolder,
  redact: (text: string) => string,
): Generator<ArchiveLine, void, undefined> {
  for (const path of filesBelow(base, below)) {
    const { mode } = lstatSync(join(base, path));
    yield { kind: 'file', root, path, isExecutable: (mode & 0o100) !== 0 };
    const bytes = redacted(readFileSync(join(base, path)), redact);
    for (let start = 0; start < bytes.length; start += lineBytes) {
      const data = bytes.subarray(start, start + lineBytes).toString('base64');
      yield { kind: 'bytes', data };
    }
  }
}

function redacted(bytes: Buffer, redact: (text: string) => string): Buffer {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const clean = redact(text);
  return clean === text ? bytes : Buffer.from(clean, encoding);
}

function filesBelow(base: string, folder: string): string[] {
  return entriesOf(join(base, folder)).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(base, path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(path: string): ReturnType<typeof sortedEntries> {
  try {
    return sortedEntries(path);
  } catch {
    // No such folder: there is nothing to carry.
    return [];
  }
}

function sortedEntries(path: string) {
  return readdirSync(path, { withFileTypes: true }).sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
}
