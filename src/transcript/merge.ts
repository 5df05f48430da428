import type { TranscriptEntry } from './entry.ts';
import { stringOf } from './row.ts';

/** Rows that the CLI writes for itself only; the SDK never hands them to a store. */
const LOCAL_ONLY = new Set(['api-request', 'api-request-blob', 'api-request-shape']);

/**
 * Finds what the CLI's local file has and the store lacks, in the order of the file.
 *
 * Rows with a uuid are compared by it. Metadata rows have none: they count only behind the last row
 * that both have, and only as often as the store does not have them there already.
 *
 * @param stored - All rows of one stream in the store.
 * @param local - All rows of the same stream in the local file.
 */
export function missingEntries(
  stored: readonly TranscriptEntry[],
  local: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const known = new Set(stored.map((row) => stringOf(row.uuid)));
  known.delete(undefined);
  const isKnown = (row: TranscriptEntry): boolean => known.has(stringOf(row.uuid));
  const lastShared = local.findLastIndex(isKnown);
  const sharedUuid = local[lastShared]?.uuid;
  const storedTail = countsOf(stored.slice(stored.findLastIndex(hasUuid(sharedUuid)) + 1));
  const taken = new Set<string>();
  return local.filter((row, index) => {
    const uuid = stringOf(row.uuid);
    if (uuid !== undefined) {
      if (known.has(uuid) || taken.has(uuid)) return false;
      taken.add(uuid);
      return true;
    }
    return index > lastShared && !LOCAL_ONLY.has(row.type) && !takeOne(storedTail, keyOf(row));
  });
}

function hasUuid(uuid: string | undefined): (row: TranscriptEntry) => boolean {
  return (row) => uuid !== undefined && row.uuid === uuid;
}

function countsOf(rows: readonly TranscriptEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (stringOf(row.uuid) !== undefined) continue;
    counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  }
  return counts;
}

/** Takes one of the counted rows; false when none is left. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count === 0) return false;
  counts.set(key, count - 1);
  return true;
}

/** The same for rows that differ only in the order of their fields: a database may change it. */
function keyOf(row: TranscriptEntry): string {
  return JSON.stringify(sorted(row));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
