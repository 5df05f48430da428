import type { StreamOptions } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { isInterruptMarker } from './interrupt-text.ts';
import { conversationOf, lastMessageOf, type ToolCall } from './last-message.ts';
import { failedCallIds, STRUCTURED_OUTPUT } from './structured-call.ts';
import { blocksOf, toolResultId } from './row.ts';

/** Where a turn was cut. */
export type CutPlace =
  /** The prompt was never answered; the binary sends it again. */
  | 'prompt'
  /** All calls have results; the binary goes on from them. */
  | 'tool-result'
  /** At least one call has no result; it may have run. */
  | 'tool-use'
  /** In the middle of the answer's text; the binary takes this for complete, so it needs a prompt. */
  | 'answer';

/** Whether the last turn of a session came to its end. */
export type TurnState =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'cut';
      readonly at: CutPlace;
      /** Calls without a result, in order; not empty exactly when `at` is `tool-use`. */
      readonly pendingCalls: readonly ToolCall[];
      /** The last row of the conversation. */
      readonly entry: TranscriptEntry;
      /** True when the CLI stopped because the turn cap was reached. */
      readonly isTurnCap: boolean;
    }
  | {
      readonly kind: 'complete';
      /** True when a person stopped the turn. */
      readonly interrupted: boolean;
      readonly stopReason: string | undefined;
      readonly entry: TranscriptEntry;
    };

const OPEN_ENDS = new Set(['tool_use', 'pause_turn']);

/**
 * Decides from the rows whether the last turn is complete or was cut, and where.
 *
 * Only user and assistant rows of the active conversation count: attachments, notes and metadata
 * behind them change nothing.
 *
 * @param entries - Shaped rows ({@link shapeTranscript}): half-written messages are gone there.
 * @param fromIndex - Rows before this place of `entries` do not count, for example those of earlier
 *   turns: without any row behind it the state is `empty`.
 */
export function turnState(
  entries: readonly TranscriptEntry[],
  fromIndex = 0,
  options: StreamOptions = {},
): TurnState {
  const counted = fromIndex > 0 ? new Set(entries.slice(fromIndex)) : undefined;
  const conversation = conversationOf(entries, options);
  const last = conversation.at(-1);
  if (last === undefined || counted?.has(last) === false) return { kind: 'empty' };
  if (isInterruptMarker(last)) {
    return { kind: 'complete', interrupted: true, stopReason: undefined, entry: last };
  }
  return last.type === 'assistant'
    ? stateOfAnswer(last, entries)
    : stateOfInput(last, conversation, entries);
}

function stateOfAnswer(last: TranscriptEntry, entries: readonly TranscriptEntry[]): TurnState {
  const { stopReason, calls, pendingCalls } = lastMessageOf(last, entries);
  if (calls.length > 0) return cutAtCalls(last, pendingCalls, entries);
  if (stopReason === undefined || OPEN_ENDS.has(stopReason)) return cut('answer', last, entries);
  return { kind: 'complete', interrupted: false, stopReason, entry: last };
}

function stateOfInput(
  last: TranscriptEntry,
  conversation: readonly TranscriptEntry[],
  entries: readonly TranscriptEntry[],
): TurnState {
  if (!blocksOf(last).some((block) => toolResultId(block) !== undefined)) {
    return cut('prompt', last, entries);
  }
  const asking = conversation.findLast((row) => row.type === 'assistant');
  const message = asking === undefined ? undefined : lastMessageOf(asking, entries);
  if (message?.pendingCalls.length === 0 && endsWithStructuredOutput(message.calls, entries)) {
    const { stopReason } = message;
    return { kind: 'complete', interrupted: false, stopReason, entry: last };
  }
  return cutAtCalls(last, message?.pendingCalls ?? [], entries);
}

/** A structured answer that fits its schema ends the turn without another response. */
function endsWithStructuredOutput(
  calls: readonly ToolCall[],
  entries: readonly TranscriptEntry[],
): boolean {
  const failed = failedCallIds(entries);
  return calls.some((call) => call.name === STRUCTURED_OUTPUT && !failed.has(call.id));
}

function cutAtCalls(
  last: TranscriptEntry,
  pendingCalls: readonly ToolCall[],
  entries: readonly TranscriptEntry[],
): TurnState {
  if (pendingCalls.length === 0) return cut('tool-result', last, entries);
  return { ...cut('tool-use', last, entries), pendingCalls };
}

function cut(
  at: CutPlace,
  entry: TranscriptEntry,
  entries: readonly TranscriptEntry[],
): Extract<TurnState, { kind: 'cut' }> {
  const after = entries.slice(entries.lastIndexOf(entry) + 1);
  return { kind: 'cut', at, pendingCalls: [], entry, isTurnCap: after.some(isTurnCapNote) };
}

function isTurnCapNote(row: TranscriptEntry): boolean {
  const note: unknown = row.type === 'attachment' ? row.attachment : undefined;
  return typeof note === 'object' && note !== null && 'type' in note
    ? note.type === 'max_turns_reached'
    : false;
}
