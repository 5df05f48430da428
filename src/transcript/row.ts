import type { TranscriptEntry } from './entry.ts';

/** A plain JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for plain objects; arrays and `null` are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string, or `undefined` for anything else and for the empty string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** True for rows that stand in the parent chain: conversation, attachments, system notes, links. */
export function isChainRow(row: TranscriptEntry): row is TranscriptEntry & { uuid: string } {
  if (stringOf(row.uuid) === undefined) return false;
  return row.parentUuid !== undefined || row.type === 'user' || row.type === 'assistant';
}

/** True for rows of a subagent that old versions wrote into the main file. */
export function isSidechain(row: TranscriptEntry): boolean {
  return row.isSidechain === true;
}

/** True for the row where a compaction cuts the chain. */
export function isBoundary(row: TranscriptEntry): boolean {
  return row.type === 'system' && row.subtype === 'compact_boundary';
}

/** The `message` of a user or assistant row. */
export function messageOf(row: TranscriptEntry): JsonObject | undefined {
  if (row.type !== 'user' && row.type !== 'assistant') return undefined;
  return isObject(row.message) ? row.message : undefined;
}

/** The content blocks of a row; `[]` when its content is a string or absent. */
export function blocksOf(row: TranscriptEntry): readonly JsonObject[] {
  const content = messageOf(row)?.content;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The row with another content, everything else as it was. */
export function withContent(row: TranscriptEntry, content: unknown): TranscriptEntry {
  return { ...row, message: { ...messageOf(row), content } };
}

/** Text of a content value (string, or blocks that are all text); `undefined` when there is more. */
export function plainText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((block: unknown) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : null,
  );
  return texts.includes(null) ? undefined : texts.join('\n');
}

/** The id of a `tool_use` block. */
export function toolUseId(block: JsonObject): string | undefined {
  return block.type === 'tool_use' ? stringOf(block.id) : undefined;
}

/** The id that a `tool_result` block answers. */
export function toolResultId(block: JsonObject): string | undefined {
  return block.type === 'tool_result' ? stringOf(block.tool_use_id) : undefined;
}
