import { type PreservedRows, preservedRows } from './compaction.ts';
import type { TranscriptEntry } from './entry.ts';
import { isBoundary, isChainRow, isSidechain, stringOf } from './row.ts';

/** Whether the rows are a subagent's own stream, where every row is marked as sidechain. */
export interface StreamOptions {
  /** @defaultValue false */
  readonly sidechain?: boolean;
}

/** The conversation that a resume would continue. */
export interface ActiveChain {
  /** From the root (or the last compaction boundary) to the leaf. */
  readonly rows: readonly TranscriptEntry[];
  readonly leaf: TranscriptEntry | undefined;
  /** True when the conversation was cleared: a resume starts empty. */
  readonly isCleared: boolean;
  /** True when the leaf is an older row, chosen by a rewind. */
  readonly isPinned: boolean;
  /** False when the first row names a parent that is not there: earlier history is missing. */
  readonly isComplete: boolean;
}

/**
 * Finds the rows that a resume would continue, the way the CLI does.
 *
 * The newest row is the leaf, unless an explicit `last-prompt` behind it pins another one; pins of
 * a row that is not there are ignored, and a compaction forgets earlier pins. The chain ends at the
 * last compaction: kept rows hang on its summary. Time stamps play no part.
 *
 * @param entries - Shaped rows; on rows as written it gives the best it can, and always ends.
 */
export function activeChain(
  entries: readonly TranscriptEntry[],
  options: StreamOptions = {},
): ActiveChain {
  const includeSidechain = options.sidechain === true;
  const byUuid = new Map<string, TranscriptEntry>();
  let boundary: TranscriptEntry | undefined;
  let leaf: TranscriptEntry | undefined;
  let pin: TranscriptEntry | undefined;
  for (const row of entries) {
    if (row.type === 'last-prompt') pin = row.explicit === true ? row : undefined;
    if (!isChainRow(row) || (isSidechain(row) && !includeSidechain)) continue;
    byUuid.set(row.uuid, row);
    leaf = row;
    pin = undefined;
    if (isBoundary(row)) boundary = row;
  }
  const pinned = pin === undefined ? undefined : byUuid.get(stringOf(pin.leafUuid) ?? '');
  if (pin !== undefined && pin.leafUuid === null) {
    return { rows: [], leaf: undefined, isCleared: true, isPinned: true, isComplete: true };
  }
  const start = pinned ?? leaf;
  const rows = walk(start, byUuid, boundary);
  const root = rows[0];
  return {
    rows,
    leaf: start,
    isCleared: false,
    isPinned: pinned !== undefined,
    isComplete: root === undefined || isBoundary(root) || stringOf(root.parentUuid) === undefined,
  };
}

function walk(
  leaf: TranscriptEntry | undefined,
  byUuid: ReadonlyMap<string, TranscriptEntry>,
  boundary: TranscriptEntry | undefined,
): readonly TranscriptEntry[] {
  const parentOf = (uuid: string): string | undefined => stringOf(byUuid.get(uuid)?.parentUuid);
  const preserved = boundary === undefined ? undefined : preservedRows(boundary, parentOf);
  const seen = new Set<TranscriptEntry>();
  let row = leaf;
  while (row !== undefined && !seen.has(row)) {
    seen.add(row);
    if (isBoundary(row) && row.uuid !== preserved?.allUuids[0]) break;
    row = byUuid.get(nextParent(row, preserved) ?? '');
  }
  return [...seen].reverse();
}

/** The CLI puts the kept rows between the summary and what follows it. */
function nextParent(
  row: TranscriptEntry,
  preserved: PreservedRows | undefined,
): string | undefined {
  const parent = stringOf(row.parentUuid);
  if (preserved?.anchorUuid === undefined || preserved.uuids.length === 0) return parent;
  if (row.uuid === preserved.allUuids[0]) return preserved.anchorUuid;
  return parent === preserved.anchorUuid ? preserved.allUuids.at(-1) : parent;
}
