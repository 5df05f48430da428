import type { TranscriptEntry } from './entry.ts';
import { isInterruptMarker } from './interrupt-text.ts';
import { blocksOf, isChainRow, type JsonObject, toolResultId } from './row.ts';
import { type FailedOutcome, failedOutcome } from './tool-outcome.ts';

/** A failed `tool_result` block, with its row and what it says. */
export interface FailedResult {
  readonly row: TranscriptEntry;
  readonly block: JsonObject;
  readonly toolUseId: string;
  readonly outcome: FailedOutcome;
}

/** All failed tool results, in order. Only whole results with `is_error` count, never quotes. */
export function failedResults(entries: readonly TranscriptEntry[]): FailedResult[] {
  const found: FailedResult[] = [];
  let isFollowedByMarker = false;
  for (const row of [...entries].reverse()) {
    for (const block of [...blocksOf(row)].reverse()) {
      const id = toolResultId(block);
      if (row.type !== 'user' || id === undefined || block.is_error !== true) continue;
      const outcome = failedOutcome(row, block, isFollowedByMarker);
      found.push({ row, block, toolUseId: id, outcome });
    }
    if (isChainRow(row) && row.type !== 'attachment') isFollowedByMarker = isInterruptMarker(row);
  }
  return found.reverse();
}
