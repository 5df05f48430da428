import type { TranscriptEntry } from './entry.ts';
import type { Cleaning } from './report.ts';
import { stringOf } from './row.ts';

/** Keeps the last version of rows that share a uuid, in the place of the first. */
export function withoutDuplicates(entries: readonly TranscriptEntry[]): Cleaning {
  const latest = new Map<string, TranscriptEntry>();
  for (const row of entries) {
    const uuid = stringOf(row.uuid);
    if (uuid !== undefined) latest.set(uuid, row);
  }
  const dropped: { uuid: string; why: 'duplicate' }[] = [];
  const placed = new Set<string>();
  const kept: TranscriptEntry[] = [];
  for (const row of entries) {
    const uuid = stringOf(row.uuid);
    if (uuid === undefined) kept.push(row);
    else if (placed.has(uuid)) dropped.push({ uuid, why: 'duplicate' });
    else {
      placed.add(uuid);
      kept.push(latest.get(uuid) ?? row);
    }
  }
  return { entries: kept, dropped, repaired: [] };
}
