import type { OutputStream } from './terminal-features.ts';

/** Back to the first column, then everything below the cursor is erased. */
const erase = '\r\u001b[J';

/**
 * One line at the bottom of a terminal that is replaced in place, below a scrolling record.
 *
 * The cursor rests at the beginning of the line: after a resize the terminal may have wrapped it,
 * and erasing from there still removes all of it.
 */
export class LiveLine {
  readonly #stream: OutputStream;
  #shown = '';

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  /** Replaces the line; nothing is written when it is the same. */
  show(text: string): void {
    if (text === this.#shown) return;
    this.#stream.write(`${erase}${text}\r`);
    this.#shown = text;
  }

  /** Writes record lines above; the line itself is back with the same write. */
  printAbove(record: string): void {
    const before = this.#shown === '' ? '' : erase;
    const after = this.#shown === '' ? '' : `${this.#shown}\r`;
    this.#stream.write(`${before}${record}${after}`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#shown !== '') this.#stream.write(erase);
    this.#shown = '';
  }
}
