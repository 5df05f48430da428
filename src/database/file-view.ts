import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunDatabase } from './run-database.ts';
import { writeFileDurably } from '../files/atomic-write.ts';
import { errorCode } from '../files/error-code.ts';

/** A rewrite may take at most one part in this many of the time. */
const restFactor = 20;
const rememberedHashes = 16;

/**
 * A file as it stands: absent, one of our own writings, or somebody else's. What cannot be read (a
 * folder, a file without permission) is foreign and empty.
 */
export type ViewFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'ours'; readonly text: string }
  | { readonly kind: 'foreign'; readonly text: string };

/** How a {@link FileView} is made. */
export interface FileViewOptions {
  readonly database: RunDatabase;
  readonly path: string;
  /** Name under which the database remembers the written texts. */
  readonly file: string;
  /** The text for now, from what the database holds; called inside a transaction. */
  readonly render: () => string;
  /** A write failed; the database still holds everything. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A file that shows what the database holds, for people and for the Python flower.
 *
 * The database is the truth as long as the file is one that flower wrote; a text that flower did
 * not write (edited, restored, foreign) is the caller's to judge. Rewriting costs time in the size
 * of the file, so it waits until the running code is through and rests between writes: a burst is
 * gathered, and `flush` writes what is due. A kill in between loses nothing: the next opening writes
 * again.
 */
export class FileView {
  readonly #options: FileViewOptions;
  #restUntilMs = 0;
  #due = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FileViewOptions) {
    this.#options = options;
  }

  /** What stands in the file now. Call it inside a transaction. */
  read(): ViewFile {
    const text = readText(this.#options.path);
    if (text === undefined) return { kind: 'absent' };
    return { kind: this.#isOurs(text) ? 'ours' : 'foreign', text };
  }

  /** True when the file was written at least once since `forget`. Call it inside a transaction. */
  wasWritten(): boolean {
    const { database, file } = this.#options;
    return (
      database.connection.prepare('SELECT 1 FROM file_views WHERE file = ?').get(file) !== undefined
    );
  }

  /** The file starts anew, as if it had never been written. Call it inside a transaction. */
  forget(): void {
    const { database, file } = this.#options;
    database.connection.prepare('DELETE FROM file_views WHERE file = ?').run(file);
  }

  /**
   * Writes the file soon: once the running code is through and the rest is over, so that the next
   * agent need not wait for it. Also allowed inside a transaction.
   */
  update(): void {
    this.#due = true;
    this.#schedule(Math.max(0, this.#restUntilMs - performance.now()));
  }

  /** Writes the file now if anything is due. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#due) return;
    this.#due = false;
    const startMs = performance.now();
    try {
      this.#options.database.immediate(() => this.#write());
    } catch (error) {
      this.#options.onFailure(error);
    }
    const endMs = performance.now();
    this.#restUntilMs = endMs + (endMs - startMs) * restFactor;
  }

  #schedule(waitMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush(), waitMs);
    this.#timer.unref();
  }

  /** The hash is known only once the transaction is on disk; a text that ran ahead is read back whole. */
  #write(): void {
    const { database, file, path, render } = this.#options;
    const text = render();
    writeFileDurably(path, text);
    database.connection
      .prepare('INSERT INTO file_views (file, hash) VALUES (?, ?)')
      .run(file, hashOf(text));
    database.connection
      .prepare(
        `DELETE FROM file_views WHERE file = @file AND id NOT IN
           (SELECT id FROM file_views WHERE file = @file ORDER BY id DESC LIMIT @keep)`,
      )
      .run({ file, keep: rememberedHashes });
  }

  #isOurs(text: string): boolean {
    const { database, file } = this.#options;
    const found = database.connection
      .prepare('SELECT 1 FROM file_views WHERE file = ? AND hash = ?')
      .get(file, hashOf(text));
    return found !== undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : '';
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
