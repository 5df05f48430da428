import { activeChain, type StreamOptions } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { isConversation, lastMessageOf, type LastMessage } from './last-message.ts';
import { dropRows } from './relink.ts';
import type { Cleaning, DropReason } from './report.ts';
import { blocksOf, stringOf } from './row.ts';
import { isThought } from './tool-blocks.ts';

/**
 * Drops a last model message that was cut while it was written.
 *
 * That is one that stopped to call tools and whose calls were never written, or one of which only
 * thinking was written. With it the binary takes the turn for complete and would not go on.
 */
export function withoutHalfMessage(
  entries: readonly TranscriptEntry[],
  options: StreamOptions = {},
): Cleaning {
  const drops = new Map<string, DropReason>();
  const chain = activeChain(entries, options);
  if (!chain.isPinned) {
    let conversation = chain.rows.filter(isConversation);
    for (let last = conversation.at(-1); last?.type === 'assistant'; last = conversation.at(-1)) {
      const message = lastMessageOf(last, entries);
      if (!isHalf(message)) break;
      const rows = new Set(message.rows);
      for (const uuid of message.rows.flatMap((row) => stringOf(row.uuid) ?? [])) {
        drops.set(uuid, 'half-message');
      }
      conversation = conversation.filter((row) => !rows.has(row));
    }
  }
  return drops.size === 0 ? { entries, dropped: [], repaired: [] } : dropRows(entries, drops);
}

function isHalf(message: LastMessage): boolean {
  if (message.calls.length > 0) return false;
  if (message.stopReason === 'tool_use') return true;
  const blocks = message.rows.flatMap(blocksOf);
  return blocks.length > 0 && blocks.every(isThought) && message.stopReason !== 'max_tokens';
}
