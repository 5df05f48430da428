import type { TranscriptEntry } from './entry.ts';
import { messageOf, plainText } from './row.ts';

/**
 * What the model reads wherever the CLI wrote that something was interrupted.
 *
 * Fixed for all languages and versions: a different text would change the cached prefix.
 */
export const INTERRUPT_TEXT =
  '[Stopped here before a result was recorded. The outcome is unknown: it may or may not have ' +
  'taken effect. Check that before relying on it or repeating it.]';

const MARKER = /^\[(?:Request interrupted by user(?: for tool use)?|Interrupted by the user)\]$/;

/** True for the text of an interrupt marker, the CLI's or the neutral one. */
export function isMarkerText(text: string): boolean {
  return MARKER.test(text) || text === INTERRUPT_TEXT;
}

/** True for a whole `user` row that only says that a person stopped the turn. */
export function isInterruptMarker(row: TranscriptEntry): boolean {
  if (row.type !== 'user') return false;
  const text = plainText(messageOf(row)?.content);
  return text !== undefined && isMarkerText(text.trim());
}
