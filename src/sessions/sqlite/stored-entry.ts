import { parseStored } from '../../database/stored-json.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';

/**
 * Text of an entry for the database. JSON escapes NUL and lone surrogates, which SQLite's text
 * would cut or replace.
 */
export function encodeEntry(entry: TranscriptEntry): string {
  return JSON.stringify(entry);
}

/**
 * The entry behind a stored text; the store wrote it, so its shape is known.
 *
 * @throws an error for which `isDamage` holds when the text was written over.
 */
export function decodeEntry(payload: string): TranscriptEntry {
  return parseStored(payload) as TranscriptEntry;
}

/** The key by which an entry is stored once; null when it has none and is always stored. */
export function uuidKey(entry: TranscriptEntry): string | null {
  const { uuid } = entry;
  if (typeof uuid !== 'string' || uuid === '') return null;
  return JSON.stringify(uuid).slice(1, -1);
}
