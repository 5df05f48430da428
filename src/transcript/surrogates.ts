import type { TranscriptEntry } from './entry.ts';
import type { Cleaning, RepairedRow } from './report.ts';
import { isObject, stringOf } from './row.ts';
import { isThought } from './tool-blocks.ts';

/** String methods of Node 20 that the compiler's library does not know yet. */
type UnicodeString = string & { isWellFormed(): boolean; toWellFormed(): string };

/**
 * Replaces lone surrogates in all texts by U+FFFD; the API refuses a request that holds one.
 *
 * Thinking blocks are signed and stay as they are. Rows without a lone surrogate are returned as
 * the same object.
 */
export function wellFormedRows(entries: readonly TranscriptEntry[]): Cleaning {
  const repaired: RepairedRow[] = [];
  const cleaned = entries.map((row) => {
    const wellFormed = wellFormedObject(row);
    if (wellFormed !== row) repaired.push({ uuid: stringOf(row.uuid) ?? null, what: 'surrogate' });
    return wellFormed;
  });
  return { entries: cleaned, dropped: [], repaired };
}

function wellFormedObject<Value extends Readonly<Record<string, unknown>>>(value: Value): Value {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const part = wellFormed(value[key]);
    if (part === value[key]) continue;
    copy ??= { ...value };
    copy[key] = part;
  }
  return (copy as Value | undefined) ?? value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value as UnicodeString;
    return text.isWellFormed() ? value : text.toWellFormed();
  }
  if (Array.isArray(value)) {
    const parts = value.map(wellFormed);
    return parts.every((part, index) => part === value[index]) ? value : parts;
  }
  if (!isObject(value)) return value;
  return isThought(value) ? value : wellFormedObject(value);
}
