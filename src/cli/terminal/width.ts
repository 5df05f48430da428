import fastStringWidth from 'fast-string-width';

let segmenter: Intl.Segmenter | undefined;

/** Columns that sanitised text takes on a terminal; CJK and emoji take two. */
export function displayWidth(text: string): number {
  return fastStringWidth(text);
}

/** One character as a person sees it, with the columns it takes. */
export interface Glyph {
  readonly text: string;
  readonly width: number;
}

/** Cuts sanitised text into what a person calls characters: an emoji family is one. */
export function glyphs(text: string): Glyph[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => ({
    text: segment,
    width: displayWidth(segment),
  }));
}

/** Sum of the columns of some glyphs. */
export function glyphsWidth(parts: readonly Glyph[]): number {
  return parts.reduce((sum, part) => sum + part.width, 0);
}
