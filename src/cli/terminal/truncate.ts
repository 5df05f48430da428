import { displayWidth, glyphs } from './width.ts';

/** Plain dots: the one-character ellipsis is two columns wide on some terminals. */
const ellipsis = '...';

/**
 * Shortens one line of sanitised text to at most `width` columns, dots included.
 *
 * Never splits an emoji or a wide character; below four columns there are no dots.
 */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const dots = width > ellipsis.length ? ellipsis : '';
  const room = width - dots.length;
  let used = 0;
  let kept = '';
  for (const glyph of glyphs(text)) {
    if (used + glyph.width > room) break;
    used += glyph.width;
    kept += glyph.text;
  }
  return `${kept.trimEnd()}${dots}`;
}
