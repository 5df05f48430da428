import { type PreservedRows, preservedRows, withoutPreserved } from './compaction.ts';
import type { TranscriptEntry } from './entry.ts';
import type { Cleaning, DropReason, DroppedRow, RepairedRow } from './report.ts';
import { isBoundary, isChainRow, stringOf } from './row.ts';

/**
 * Takes rows out of a transcript and closes every gap that this leaves.
 *
 * Children go to the nearest ancestor that stays; `last-prompt` pins and logical parents follow.
 * Compaction metadata forgets the rows that are gone (also those that were gone before), and a row
 * behind a compaction is never attached to something the compaction does not keep.
 *
 * @param entries - Complete rows, the ones to drop included; links as {@link repairLinks} leaves them.
 * @param drops - Uuids to take out, with the reason.
 */
export function dropRows(
  entries: readonly TranscriptEntry[],
  drops: ReadonlyMap<string, DropReason>,
): Cleaning {
  const lineage = new Lineage(entries, drops);
  const kept: TranscriptEntry[] = [];
  const dropped: DroppedRow[] = [];
  const repaired: RepairedRow[] = [];
  let epoch: Epoch | undefined;
  let previous: string | undefined;
  for (const [index, row] of entries.entries()) {
    const uuid = stringOf(row.uuid);
    const why = uuid === undefined ? undefined : drops.get(uuid);
    if (uuid !== undefined && why !== undefined) {
      dropped.push({ uuid, why });
      continue;
    }
    const pinned = row.type === 'last-prompt' ? lineage.repinned(row) : row;
    if (pinned === undefined) {
      dropped.push({ uuid: null, why: 'last-prompt' });
      continue;
    }
    if (pinned !== row) repaired.push({ uuid: uuid ?? null, what: 'last-prompt' });
    if (isBoundary(row)) {
      epoch = lineage.openEpoch(row, index);
      if (epoch.trimmed) repaired.push({ uuid: uuid ?? null, what: 'compaction' });
      kept.push(lineage.relinked(epoch.boundary, undefined));
      previous = uuid ?? previous;
      continue;
    }
    const linked = lineage.relinked(pinned, previous);
    const anchored = epoch === undefined ? linked : lineage.anchored(pinned, linked, epoch);
    if (anchored !== linked) repaired.push({ uuid: uuid ?? null, what: 'anchor' });
    kept.push(anchored);
    if (isChainRow(row)) previous = row.uuid;
  }
  return { entries: kept, dropped, repaired };
}

/** The part of the file behind one compaction boundary. */
interface Epoch {
  readonly startIndex: number;
  readonly boundary: TranscriptEntry;
  readonly trimmed: boolean;
  readonly preservedBefore: ReadonlySet<string>;
  readonly preservedAfter: ReadonlySet<string>;
  /** The summary: rows go there whose parent is no longer kept. */
  readonly anchorUuid: string | undefined;
}

class Lineage {
  private readonly parents = new Map<string, string | undefined>();
  private readonly positions = new Map<string, number>();
  private readonly survivors = new Map<string, string | undefined>();
  private readonly drops: ReadonlyMap<string, DropReason>;

  constructor(entries: readonly TranscriptEntry[], drops: ReadonlyMap<string, DropReason>) {
    this.drops = drops;
    for (const [index, row] of entries.entries()) {
      const uuid = stringOf(row.uuid);
      if (uuid === undefined) continue;
      this.parents.set(uuid, stringOf(row.parentUuid));
      this.positions.set(uuid, index);
    }
  }

  /** The row itself, or its nearest ancestor that stays. */
  survivorOf(start: string): string | undefined {
    const passed: string[] = [];
    let current: string | undefined = start;
    while (current !== undefined && this.drops.has(current) && !this.survivors.has(current)) {
      passed.push(current);
      current = this.parents.get(current);
    }
    const survivor =
      current !== undefined && this.drops.has(current) ? this.survivors.get(current) : current;
    for (const uuid of passed) this.survivors.set(uuid, survivor);
    return survivor;
  }

  /**
   * @param previous - Chain row before this one; takes over when the ancestor is not in the file.
   */
  relinked(row: TranscriptEntry, previous: string | undefined): TranscriptEntry {
    const parent = stringOf(row.parentUuid);
    const logical = stringOf(row.logicalParentUuid);
    const movesParent = parent !== undefined && this.drops.has(parent);
    const movesLogical = logical !== undefined && this.drops.has(logical);
    if (!movesParent && !movesLogical) return row;
    return {
      ...row,
      ...(movesParent && { parentUuid: this.newParent(parent, previous) }),
      ...(movesLogical && { logicalParentUuid: this.survivorOf(logical) ?? null }),
    };
  }

  private newParent(dropped: string, previous: string | undefined): string | null {
    const survivor = this.survivorOf(dropped);
    if (survivor === undefined) return null;
    return this.positions.has(survivor) ? survivor : (previous ?? survivor);
  }

  /** The pin with a leaf that stays; `undefined` when nothing of its branch does. */
  repinned(row: TranscriptEntry): TranscriptEntry | undefined {
    const leaf = stringOf(row.leafUuid);
    if (leaf === undefined || !this.drops.has(leaf)) return row;
    const survivor = this.survivorOf(leaf);
    if (survivor === undefined && row.uuid === undefined) return undefined;
    return { ...row, leafUuid: survivor ?? null };
  }

  openEpoch(row: TranscriptEntry, startIndex: number): Epoch {
    const preserved = preservedRows(row, (uuid) => this.parents.get(uuid));
    const isKept = (uuid: string): boolean => this.positions.has(uuid) && !this.drops.has(uuid);
    const boundary = preserved === undefined ? row : withoutPreserved(row, preserved, isKept);
    const hasKept = preserved?.uuids.some(isKept) === true;
    return {
      startIndex,
      boundary,
      trimmed: boundary !== row,
      preservedBefore: new Set(allOf(preserved)),
      preservedAfter: new Set(hasKept ? allOf(preserved).filter(isKept) : []),
      anchorUuid: this.anchorOf(preserved, startIndex),
    };
  }

  /** Keeps a row that hung on a preserved one behind the compaction when that one is gone. */
  anchored(before: TranscriptEntry, row: TranscriptEntry, epoch: Epoch): TranscriptEntry {
    const oldParent = stringOf(before.parentUuid);
    if (oldParent === undefined) return row;
    const wasKept = epoch.preservedBefore.has(oldParent) || row !== before;
    const parent = stringOf(row.parentUuid);
    if (!wasKept || this.positionOf(parent) >= epoch.startIndex) return row;
    if (parent !== undefined && epoch.preservedAfter.has(parent)) return row;
    const anchor = epoch.anchorUuid;
    const isBefore = anchor !== undefined && this.positionOf(anchor) < this.positionOf(row.uuid);
    return { ...row, parentUuid: (isBefore ? anchor : epoch.boundary.uuid) ?? null };
  }

  private anchorOf(preserved: PreservedRows | undefined, startIndex: number): string | undefined {
    const anchor = preserved?.anchorUuid;
    if (anchor === undefined || this.drops.has(anchor)) return undefined;
    return this.positionOf(anchor) > startIndex ? anchor : undefined;
  }

  private positionOf(uuid: string | undefined): number {
    return (uuid === undefined ? undefined : this.positions.get(uuid)) ?? -1;
  }
}

function allOf(preserved: PreservedRows | undefined): readonly string[] {
  return preserved === undefined ? [] : [...preserved.uuids, ...preserved.allUuids];
}
