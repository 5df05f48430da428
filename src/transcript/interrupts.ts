import type { TranscriptEntry } from './entry.ts';
import { failedResults } from './failed-results.ts';
import { INTERRUPT_TEXT, isInterruptMarker } from './interrupt-text.ts';
import type { Cleaning, RepairedRow } from './report.ts';
import { type JsonObject, messageOf, stringOf, withContent } from './row.ts';

/**
 * Replaces what the CLI wrote about interrupted calls and turns by {@link INTERRUPT_TEXT}.
 *
 * Rows, ids and pairs stay. The CLI's own texts tell the model that the user refused, or nothing
 * about what happened; a stopped call may have run.
 */
export function neutraliseInterrupts(entries: readonly TranscriptEntry[]): Cleaning {
  const unknown = new Set<JsonObject>();
  const rows = new Set<TranscriptEntry>();
  for (const result of failedResults(entries)) {
    if (result.outcome !== 'unknown') continue;
    unknown.add(result.block);
    rows.add(result.row);
  }
  const repaired: RepairedRow[] = [];
  const cleaned = entries.map((row) => {
    const neutral = rows.has(row) ? withNeutralResults(row, unknown) : withNeutralMarker(row);
    if (neutral !== row) repaired.push({ uuid: stringOf(row.uuid) ?? null, what: 'interrupt' });
    return neutral;
  });
  return { entries: cleaned, dropped: [], repaired };
}

function withNeutralResults(
  row: TranscriptEntry,
  unknown: ReadonlySet<JsonObject>,
): TranscriptEntry {
  const content = messageOf(row)?.content;
  if (!Array.isArray(content)) return row;
  const neutral = content.map((block: JsonObject) =>
    unknown.has(block) ? { ...block, content: INTERRUPT_TEXT, is_error: false } : block,
  );
  const cleaned = withContent(row, neutral);
  return 'toolUseResult' in row ? { ...cleaned, toolUseResult: INTERRUPT_TEXT } : cleaned;
}

function withNeutralMarker(row: TranscriptEntry): TranscriptEntry {
  if (!isInterruptMarker(row)) return row;
  const content = messageOf(row)?.content;
  if (content === INTERRUPT_TEXT) return row;
  if (typeof content === 'string') return withContent(row, INTERRUPT_TEXT);
  const isNeutral = Array.isArray(content) && content.length === 1;
  const [block] = Array.isArray(content) ? (content as readonly JsonObject[]) : [];
  if (isNeutral && block?.text === INTERRUPT_TEXT) return row;
  return withContent(row, [{ ...block, type: 'text', text: INTERRUPT_TEXT }]);
}
