import type { FlowerEvent } from '../../events/event.ts';
import type { OutputStream } from './terminal-features.ts';

/** Characters that JSON allows as they are and a terminal or a line reader would act on. */
const actedUpon = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * JSON of one line that is safe to look at: what a terminal would act on is written as `\uXXXX`,
 * which reads back as the same text.
 */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  return json.replace(
    actedUpon,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A consumer that prints one event a line: the whole of standard output with `--json`. */
export function createJsonView(stream: OutputStream): (event: FlowerEvent) => void {
  return (event) => {
    stream.write(`${jsonLine(event)}\n`);
  };
}
