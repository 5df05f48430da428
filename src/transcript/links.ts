import type { TranscriptEntry } from './entry.ts';
import type { Cleaning, RepairedRow } from './report.ts';
import { isBoundary, isChainRow, stringOf } from './row.ts';

type ChainRow = TranscriptEntry & { readonly uuid: string };

/**
 * Makes the parent links a forest: no missing parent, no cycle, every parent before its child.
 *
 * A row with a missing parent, or the first row of a cycle, is attached to the chain row before
 * it; a compaction boundary is such a row, so nothing is attached across one, and has no parent. The first row of all
 * keeps a missing parent: its history is elsewhere. Rows that stand before their parent (a merged
 * file appends late rows) make it move in front of them.
 */
export function repairLinks(entries: readonly TranscriptEntry[]): Cleaning {
  return new LinkRepair(entries).run();
}

class LinkRepair {
  private readonly entries: readonly TranscriptEntry[];
  private readonly byUuid = new Map<string, ChainRow>();
  private readonly placed = new Set<string>();
  private readonly result: TranscriptEntry[] = [];
  private readonly repaired: RepairedRow[] = [];
  private readonly positions = new Map<string, number>();
  private previous: string | undefined;

  constructor(entries: readonly TranscriptEntry[]) {
    this.entries = entries;
  }

  run(): Cleaning {
    for (const [index, row] of this.entries.entries()) {
      if (!isLink(row)) continue;
      this.byUuid.set(row.uuid, row);
      this.positions.set(row.uuid, index);
    }
    for (const row of this.entries) {
      if (!isLink(row)) this.result.push(row);
      else if (!this.placed.has(row.uuid)) this.placeWithAncestors(row);
    }
    return { entries: this.result, dropped: [], repaired: this.repaired };
  }

  private placeWithAncestors(start: ChainRow): void {
    const path: ChainRow[] = [];
    const onPath = new Set<string>();
    let current: ChainRow | undefined = start;
    while (current !== undefined && !this.placed.has(current.uuid) && !onPath.has(current.uuid)) {
      path.push(current);
      onPath.add(current.uuid);
      current = this.parentOf(current);
    }
    const cyclic = current !== undefined && onPath.has(current.uuid);
    const top = cyclic ? this.firstOfCycle(path, current) : path.length - 1;
    for (let index = top; index >= 0; index -= 1) {
      const row = path[index];
      if (row !== undefined) this.place(row, cyclic && index === top, row !== start);
    }
  }

  /** Place on the path of the cycle's row that was written first. */
  private firstOfCycle(path: readonly ChainRow[], entry: ChainRow | undefined): number {
    let first = path.length - 1;
    for (let index = path.length - 1; index >= 0; index -= 1) {
      const row = path[index];
      if (row === undefined) break;
      if (this.positionOf(row) < this.positionOf(path[first])) first = index;
      if (row === entry) break;
    }
    return first;
  }

  private positionOf(row: ChainRow | undefined): number {
    return (row && this.positions.get(row.uuid)) ?? 0;
  }

  private place(row: ChainRow, cyclic: boolean, moved: boolean): void {
    const linked = this.relinked(row, cyclic);
    if (linked !== row) this.repaired.push({ uuid: row.uuid, what: 'parent' });
    if (moved) this.repaired.push({ uuid: row.uuid, what: 'order' });
    this.placed.add(row.uuid);
    this.result.push(linked);
    if (isChainRow(row)) this.previous = row.uuid;
  }

  private relinked(row: ChainRow, cyclic: boolean): TranscriptEntry {
    const parent = stringOf(row.parentUuid);
    if (parent === undefined) return row;
    if (isBoundary(row)) return { ...row, parentUuid: null };
    if (this.byUuid.has(parent) && !cyclic) return row;
    if (this.previous !== undefined) return { ...row, parentUuid: this.previous };
    return cyclic ? { ...row, parentUuid: null } : row;
  }

  /** The row that must stand before this one; for a boundary, the end of what it summarises. */
  private parentOf(row: ChainRow): ChainRow | undefined {
    const parent = stringOf(isBoundary(row) ? row.logicalParentUuid : row.parentUuid);
    return parent === undefined ? undefined : this.byUuid.get(parent);
  }
}

/** Every row with a uuid can be a parent, also of a type that nobody knows. */
function isLink(row: TranscriptEntry): row is ChainRow {
  return stringOf(row.uuid) !== undefined;
}
