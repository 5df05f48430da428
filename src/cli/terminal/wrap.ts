import { displayWidth, type Glyph, glyphs } from './width.ts';

const space = /^\s/u;
/** May not begin a line. */
const closing = /^[\p{Pe}\p{Pf}!,.:;?%、。\uff0c．：；？！％…〜～ー々]/u;
/** May not end a line. */
const opening = /[\p{Ps}\p{Pi}]$/u;

/**
 * Breaks sanitised text into lines of at most `width` columns.
 *
 * Breaks at spaces and between wide characters, never before closing punctuation when there is
 * another place; a word that is too long is cut. Newlines of the text stay line breaks. A width
 * below two columns counts as two, so that a wide character always fits.
 */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(2, width);
  return text.split('\n').flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line];
  const parts = glyphs(line);
  const lines: string[] = [];
  let start = 0;
  while (start < parts.length) {
    const end = lineEnd(parts, start, columns);
    lines.push(joined(parts, start, end));
    start = skipSpaces(parts, end);
  }
  return lines;
}

/** Index after the last glyph of the line that begins at `start`. */
function lineEnd(parts: readonly Glyph[], start: number, columns: number): number {
  let used = 0;
  let lastBreak = -1;
  for (let index = start; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) break;
    if (index > start && canBreakBefore(parts[index - 1], part)) lastBreak = index;
    if (used + part.width > columns) {
      if (space.test(part.text)) return index;
      if (lastBreak > start) return lastBreak;
      return Math.max(index, start + 1);
    }
    used += part.width;
  }
  return parts.length;
}

function canBreakBefore(before: Glyph | undefined, part: Glyph): boolean {
  if (before === undefined || space.test(part.text)) return false;
  if (space.test(before.text)) return true;
  const isWide = part.width > 1 || before.width > 1;
  return isWide && !closing.test(part.text) && !opening.test(before.text);
}

function skipSpaces(parts: readonly Glyph[], from: number): number {
  let index = from;
  while (space.test(parts[index]?.text ?? '')) index++;
  return index;
}

function joined(parts: readonly Glyph[], start: number, end: number): string {
  return parts
    .slice(start, end)
    .map((part) => part.text)
    .join('')
    .trimEnd();
}
