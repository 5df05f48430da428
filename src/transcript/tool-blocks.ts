import type { TranscriptEntry } from './entry.ts';
import { dropRows } from './relink.ts';
import type { Cleaning, DropReason, RepairedRow } from './report.ts';
import { blocksOf, type JsonObject, messageOf, stringOf, withContent } from './row.ts';

const THINKING = new Set(['thinking', 'redacted_thinking']);

/**
 * Takes content blocks out of a transcript; everything else in their messages stays as it was.
 *
 * A row that is left empty is dropped. A model message (rows with one `message.id`) of which only
 * thinking is left is dropped whole: the thinking belonged to the call. The row's `toolUseResult`
 * goes with its result.
 *
 * @param isTaken - Whether a block is taken out.
 * @param why - Reason to report, for whole rows and for parts of rows.
 */
export function withoutBlocks(
  entries: readonly TranscriptEntry[],
  isTaken: (block: JsonObject, row: TranscriptEntry) => boolean,
  why: DropReason & RepairedRow['what'],
): Cleaning {
  const stripped = entries.map((row) => withoutBlocksOf(row, isTaken));
  const drops = new Map<string, DropReason>();
  const touched = new Set<string>();
  const repaired: RepairedRow[] = [];
  for (const [index, row] of stripped.entries()) {
    const uuid = stringOf(row.uuid);
    if (row === entries[index] || uuid === undefined) continue;
    const messageId = stringOf(messageOf(row)?.id);
    if (messageId !== undefined) touched.add(messageId);
    if (isEmpty(row)) drops.set(uuid, why);
    else repaired.push({ uuid, what: why });
  }
  for (const uuid of thoughtsAlone(stripped, touched)) drops.set(uuid, why);
  if (drops.size === 0 && repaired.length === 0) {
    return { entries, dropped: [], repaired: [] };
  }
  const relinked = dropRows(stripped, drops);
  const kept = repaired.filter((repair) => repair.uuid === null || !drops.has(repair.uuid));
  return { ...relinked, repaired: [...kept, ...relinked.repaired] };
}

function withoutBlocksOf(
  row: TranscriptEntry,
  isTaken: (block: JsonObject, row: TranscriptEntry) => boolean,
): TranscriptEntry {
  const taken = new Set<unknown>(blocksOf(row).filter((block) => isTaken(block, row)));
  const content = messageOf(row)?.content;
  if (taken.size === 0 || !Array.isArray(content)) return row;
  const rest = withContent(
    row,
    content.filter((block) => !taken.has(block)),
  );
  if (row.type !== 'user' || !('toolUseResult' in row)) return rest;
  const { toolUseResult: _duplicate, ...cleaned } = rest;
  return cleaned;
}

function isEmpty(row: TranscriptEntry): boolean {
  const content = messageOf(row)?.content;
  return Array.isArray(content) && content.length === 0;
}

/** Rows of the given messages when thinking is all that they still hold. */
function thoughtsAlone(
  entries: readonly TranscriptEntry[],
  messageIds: ReadonlySet<string>,
): readonly string[] {
  const rows = new Map<string, string[]>();
  const speaking = new Set<string>();
  for (const row of entries) {
    const messageId = stringOf(messageOf(row)?.id);
    const uuid = stringOf(row.uuid);
    if (messageId === undefined || !messageIds.has(messageId)) continue;
    if (uuid !== undefined) rows.set(messageId, [...(rows.get(messageId) ?? []), uuid]);
    if (!isThoughtOnly(row)) speaking.add(messageId);
  }
  return [...rows].flatMap(([messageId, uuids]) => (speaking.has(messageId) ? [] : uuids));
}

function isThoughtOnly(row: TranscriptEntry): boolean {
  const content = messageOf(row)?.content;
  if (!Array.isArray(content)) return false;
  return blocksOf(row).length === content.length && blocksOf(row).every(isThought);
}

/** True for blocks that hold a model's reasoning; they pass byte for byte. */
export function isThought(block: JsonObject): boolean {
  return typeof block.type === 'string' && THINKING.has(block.type);
}
