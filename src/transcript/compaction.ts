import type { TranscriptEntry } from './entry.ts';
import { isBoundary, isObject, type JsonObject, stringOf } from './row.ts';

/** What a compaction keeps word for word, in front of its boundary. */
export interface PreservedRows {
  /** Uuids of the kept conversation, in order. */
  readonly uuids: readonly string[];
  /** The same with the rows between them (attachments). */
  readonly allUuids: readonly string[];
  /** The summary, to which the CLI attaches the kept rows. */
  readonly anchorUuid: string | undefined;
}

/**
 * Reads what a compaction boundary preserves; `undefined` when it names nothing.
 *
 * @param parentOf - Gives a row's parent; walks a segment of which only the ends are named.
 */
export function preservedRows(
  boundary: TranscriptEntry,
  parentOf: (uuid: string) => string | undefined,
): PreservedRows | undefined {
  if (!isBoundary(boundary) || !isObject(boundary.compactMetadata)) return undefined;
  const { preservedMessages, preservedSegment } = boundary.compactMetadata;
  if (isObject(preservedMessages)) {
    const uuids = stringsOf(preservedMessages.uuids);
    const allUuids = stringsOf(preservedMessages.allUuids);
    const anchorUuid =
      stringOf(preservedMessages.anchorUuid) ??
      (isObject(preservedSegment) ? stringOf(preservedSegment.anchorUuid) : undefined);
    return { uuids, allUuids: allUuids.length > 0 ? allUuids : uuids, anchorUuid };
  }
  if (!isObject(preservedSegment)) return undefined;
  const uuids = segmentBetween(preservedSegment, parentOf);
  return { uuids, allUuids: uuids, anchorUuid: stringOf(preservedSegment.anchorUuid) };
}

/**
 * Takes rows out of a boundary's metadata, so that the compaction stays in force without them.
 *
 * The CLI ignores a whole compaction of which one preserved row is missing. When nothing of the
 * kept conversation is left, the boundary preserves nothing. Returns the same object when there is
 * nothing to do.
 */
export function withoutPreserved(
  boundary: TranscriptEntry,
  preserved: PreservedRows,
  isKept: (uuid: string) => boolean,
): TranscriptEntry {
  const metadata = boundary.compactMetadata;
  if (!isObject(metadata)) return boundary;
  if (preserved.allUuids.every(isKept) && preserved.uuids.every(isKept)) return boundary;
  const { preservedMessages, preservedSegment, ...rest } = metadata;
  const uuids = preserved.uuids.filter(isKept);
  if (uuids.length === 0) return { ...boundary, compactMetadata: rest };
  const allUuids = preserved.allUuids.filter(isKept);
  return {
    ...boundary,
    compactMetadata: {
      ...rest,
      ...(isObject(preservedSegment) && {
        preservedSegment: withEnds(preservedSegment, allUuids, isKept),
      }),
      ...(isObject(preservedMessages) && {
        preservedMessages: {
          ...preservedMessages,
          uuids,
          ...('allUuids' in preservedMessages && { allUuids }),
        },
      }),
    },
  };
}

function withEnds(
  segment: JsonObject,
  uuids: readonly string[],
  isKept: (uuid: string) => boolean,
): JsonObject {
  const head = stringOf(segment.headUuid);
  const tail = stringOf(segment.tailUuid);
  return {
    ...segment,
    headUuid: head !== undefined && isKept(head) ? head : uuids[0],
    tailUuid: tail !== undefined && isKept(tail) ? tail : uuids.at(-1),
  };
}

function segmentBetween(
  segment: JsonObject,
  parentOf: (uuid: string) => string | undefined,
): readonly string[] {
  const head = stringOf(segment.headUuid);
  const seen = new Set<string>();
  let current = stringOf(segment.tailUuid);
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    if (current === head) return [...seen].reverse();
    current = parentOf(current);
  }
  return [head, stringOf(segment.tailUuid)].filter((uuid) => uuid !== undefined);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
