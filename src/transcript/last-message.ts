import { activeChain, type StreamOptions } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { blocksOf, type JsonObject, messageOf, stringOf, toolResultId, toolUseId } from './row.ts';
import { isSynthetic } from './synthetic.ts';

/** A call of the last model message. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The row that holds the call. */
  readonly entry: TranscriptEntry;
}

/** The last message of the model: one API message, written as several rows. */
export interface LastMessage {
  readonly rows: readonly TranscriptEntry[];
  readonly stopReason: string | undefined;
  readonly calls: readonly ToolCall[];
  /** Calls without a result anywhere in the transcript. */
  readonly pendingCalls: readonly ToolCall[];
}

/** True for rows that are part of the conversation as the model sees it. */
export function isConversation(row: TranscriptEntry): boolean {
  return (row.type === 'user' || row.type === 'assistant') && !isSynthetic(row);
}

/**
 * Gathers the model message that a row belongs to.
 *
 * Results of parallel calls hang on their own call, so rows of one message can stand on side
 * branches: they are found by `message.id`, their results by the call's id.
 */
export function lastMessageOf(
  row: TranscriptEntry,
  entries: readonly TranscriptEntry[],
): LastMessage {
  const messageId = stringOf(messageOf(row)?.id);
  const rows =
    messageId === undefined
      ? [row]
      : entries.filter((entry) => isConversation(entry) && messageOf(entry)?.id === messageId);
  const calls = rows.flatMap((entry) => blocksOf(entry).flatMap((block) => callOf(block, entry)));
  const answered = answeredIds(entries);
  return {
    rows,
    stopReason: rows
      .map((entry) => stringOf(messageOf(entry)?.stop_reason))
      .findLast((reason) => reason !== undefined),
    calls,
    pendingCalls: calls.filter((call) => !answered.has(call.id)),
  };
}

/** The conversation rows of the active chain. */
export function conversationOf(
  entries: readonly TranscriptEntry[],
  options: StreamOptions = {},
): readonly TranscriptEntry[] {
  return activeChain(entries, options).rows.filter(isConversation);
}

/** The calls of one row. */
export function callOf(block: JsonObject, entry: TranscriptEntry): readonly ToolCall[] {
  const id = toolUseId(block);
  if (id === undefined) return [];
  return [{ id, name: stringOf(block.name) ?? '', input: block.input, entry }];
}

function answeredIds(entries: readonly TranscriptEntry[]): ReadonlySet<string> {
  const ids = entries.flatMap((row) =>
    row.type === 'user' ? blocksOf(row).map(toolResultId) : [],
  );
  return new Set(ids.filter((id) => id !== undefined));
}
