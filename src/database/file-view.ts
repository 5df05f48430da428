import type { RunDatabase } from './run-database.ts';
import { writeFileDurably } from '../files/atomic-write.ts';
import { readViewFile, type ViewFile, viewHash } from './view-file.ts';

/** A rewrite may take at most one part in this many of the time. */
const restFactor = 100;
const rememberedHashes = 16;

/** How a {@link FileView} is made. */
export interface FileViewOptions {
  readonly database: RunDatabase;
  readonly path: string;
  /** Name under which the database remembers the written texts. */
  readonly file: string;
  /** The text for now, from what the database holds; called inside a transaction. */
  readonly render: () => string;
  /**
   * A write failed; the database still holds everything. Told once until a write succeeds again; the
   * next `update` or `flush` tries again.
   */
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
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FileViewOptions) {
    this.#options = options;
  }

  /** What stands in the file now. Call it inside a transaction. */
  read(): ViewFile {
    return readViewFile(this.#options.database.connection, this.#options);
  }

  /** The text that stands in the file was taken in: the database says more from now on. */
  accept(text: string): void {
    this.#remember(text);
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
      this.#isFailing = false;
    } catch (error) {
      this.#due = true;
      if (!this.#isFailing) this.#options.onFailure(error);
      this.#isFailing = true;
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
    const { path, render } = this.#options;
    const text = render();
    writeFileDurably(path, text);
    this.#remember(text);
  }

  #remember(text: string): void {
    const { database, file } = this.#options;
    database.connection
      .prepare('INSERT INTO file_views (file, hash) VALUES (?, ?)')
      .run(file, viewHash(text));
    database.connection
      .prepare(
        `DELETE FROM file_views WHERE file = @file AND id NOT IN
           (SELECT id FROM file_views WHERE file = @file ORDER BY id DESC LIMIT @keep)`,
      )
      .run({ file, keep: rememberedHashes });
  }
}
