import type { TranscriptEntry } from './entry.ts';
import { isInterruptMarker } from './interrupt-text.ts';
import { callOf, conversationOf } from './last-message.ts';
import { blocksOf, isObject, messageOf, stringOf, toolResultId } from './row.ts';
import { failedCallIds, STRUCTURED_OUTPUT } from './structured-call.ts';

/**
 * What the model said in the last turn: its text blocks on the main thread since the last real
 * prompt, joined by newlines; `''` when it said nothing.
 *
 * Tool results, the CLI's own notes, interrupt markers and summaries are no prompts; synthetic rows
 * are no answers.
 */
export function turnText(entries: readonly TranscriptEntry[]): string {
  return lastTurn(entries)
    .filter((row) => row.type === 'assistant')
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === 'text' ? (stringOf(block.text) ?? []) : []))
    .join('\n');
}

/**
 * The structured answer of the last turn: the input of its last `StructuredOutput` call that was
 * not refused for its form; `undefined` when there is none.
 */
export function structuredOutput(entries: readonly TranscriptEntry[]): unknown {
  const failed = failedCallIds(entries);
  return lastTurn(entries)
    .flatMap((row) => blocksOf(row).flatMap((block) => callOf(block, row)))
    .findLast((call) => call.name === STRUCTURED_OUTPUT && !failed.has(call.id))?.input;
}

/** Rows after the last real prompt, in writing order, side branches of parallel calls included. */
function lastTurn(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const conversation = conversationOf(entries);
  const start = conversation.findLastIndex(isPrompt);
  const turn = conversation.slice(start + 1);
  const rows = new Set(turn);
  const messageIds = new Set(turn.map((row) => stringOf(messageOf(row)?.id)));
  messageIds.delete(undefined);
  return entries.filter(
    (row) => rows.has(row) || (row.type === 'assistant' && hasId(row, messageIds)),
  );
}

function hasId(row: TranscriptEntry, ids: ReadonlySet<string | undefined>): boolean {
  const id = stringOf(messageOf(row)?.id);
  return id !== undefined && ids.has(id);
}

function isPrompt(row: TranscriptEntry): boolean {
  if (row.type !== 'user' || row.isMeta === true || row.isCompactSummary === true) return false;
  if (isInterruptMarker(row)) return false;
  if (isObject(row.origin) && row.origin.kind === 'task-notification') return false;
  const blocks = blocksOf(row);
  return blocks.length === 0 || blocks.some((block) => toolResultId(block) === undefined);
}
