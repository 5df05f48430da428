import type { TranscriptEntry } from './entry.ts';
import { failedResults } from './failed-results.ts';
import type { Cleaning } from './report.ts';
import { isSynthetic } from './synthetic.ts';
import { toolResultId, toolUseId } from './row.ts';
import { withoutBlocks } from './tool-blocks.ts';

/**
 * Takes refused calls and their refusals out, except the newest ones.
 *
 * A model that sees many refusals stops trying what it may do. Call and result go together. Results
 * that the model has not answered yet stay in any case. Calls that were stopped while they ran are
 * no refusals.
 *
 * @param keepDenials - How many of the newest pairs stay.
 */
export function withoutOldDenials(
  entries: readonly TranscriptEntry[],
  keepDenials: number,
): Cleaning {
  const old = oldDenials(entries, keepDenials);
  if (old.size === 0) return { entries, dropped: [], repaired: [] };
  return withoutBlocks(
    entries,
    (block) => old.has(toolUseId(block) ?? toolResultId(block) ?? ''),
    'denial',
  );
}

function oldDenials(entries: readonly TranscriptEntry[], keepDenials: number): Set<string> {
  const lastAnswer = entries.findLastIndex((row) => row.type === 'assistant' && !isSynthetic(row));
  const unanswered = new Set(entries.slice(lastAnswer + 1));
  const denied = failedResults(entries).filter((result) => result.outcome === 'denied');
  const newest = new Set(
    [...new Set(denied.map((result) => result.toolUseId))].slice(
      keepDenials > 0 ? -keepDenials : Number.POSITIVE_INFINITY,
    ),
  );
  const old = denied.filter(
    (result) => !newest.has(result.toolUseId) && !unanswered.has(result.row),
  );
  return new Set(old.map((result) => result.toolUseId));
}
