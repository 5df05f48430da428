import type { TranscriptEntry } from './entry.ts';
import { isObject } from './row.ts';

/** How the CLI opens every chain row; inside a JSON string it would be escaped. */
const ROW_OPENING = '{"parentUuid"';

/** Rows of a transcript file, and how many pieces of it could not be read. */
export interface ParsedTranscript {
  readonly entries: TranscriptEntry[];
  /** Truncated, malformed or zero-filled pieces; what they held is lost. */
  readonly damaged: number;
}

/**
 * Reads a transcript file (JSON Lines), keeping every row that can be read.
 *
 * Never throws. Accepts a byte order mark, CRLF, blank lines, NUL padding, records glued onto one
 * line and a record glued to a truncated one. JSON values that are no rows are skipped.
 *
 * @param source - The file's bytes (UTF-8) or text.
 */
export function parseTranscript(source: Uint8Array | string): ParsedTranscript {
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  const entries: TranscriptEntry[] = [];
  let damaged = 0;
  for (const rawLine of text.split('\n')) {
    const line = rawLine
      .replaceAll('\0', '')
      .replace(/^\uFEFF/, '')
      .trim();
    if (line === '') {
      if (rawLine.includes('\0')) damaged += 1;
      continue;
    }
    damaged += readLine(line, entries);
  }
  return { entries, damaged };
}

function readLine(line: string, entries: TranscriptEntry[]): number {
  const whole = parseJson(line);
  if (whole !== undefined) {
    keepRow(whole.value, entries);
    return 0;
  }
  return readGlued(line, entries);
}

function readGlued(line: string, entries: TranscriptEntry[]): number {
  let damaged = 0;
  let position = 0;
  while (position < line.length) {
    const end = line[position] === '{' ? endOfObject(line, position) : -1;
    const parsed = end === -1 ? undefined : parseJson(line.slice(position, end));
    if (parsed !== undefined) {
      keepRow(parsed.value, entries);
      position = skipSpace(line, end);
      continue;
    }
    damaged += 1;
    const next = line.indexOf(ROW_OPENING, position + 1);
    if (next === -1) break;
    position = next;
  }
  return damaged;
}

function keepRow(value: unknown, entries: TranscriptEntry[]): void {
  if (isRow(value)) entries.push(value);
}

function isRow(value: unknown): value is TranscriptEntry {
  return isObject(value) && typeof value.type === 'string';
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Index after the object that opens at `start`, or -1 when it is never closed. */
function endOfObject(line: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < line.length; index += 1) {
    const character = line[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

function skipSpace(line: string, start: number): number {
  let index = start;
  while (index < line.length && line[index]?.trim() === '') index += 1;
  return index;
}
