import type { TranscriptEntry } from './entry.ts';
import type { DropReason } from './report.ts';
import { messageOf, stringOf } from './row.ts';

/** True for assistant rows that no model wrote: error notices and placeholders. */
export function isSynthetic(row: TranscriptEntry): boolean {
  if (row.type !== 'assistant') return false;
  return row.isApiErrorMessage === true || messageOf(row)?.model === '<synthetic>';
}

/** Finds the rows that the CLI wrote about failed requests, by their fields, never by their text. */
export function syntheticRows(entries: readonly TranscriptEntry[]): Map<string, DropReason> {
  const drops = new Map<string, DropReason>();
  for (const row of entries) {
    const uuid = stringOf(row.uuid);
    const why = reasonToDrop(row);
    if (uuid !== undefined && why !== undefined) drops.set(uuid, why);
  }
  return drops;
}

function reasonToDrop(row: TranscriptEntry): DropReason | undefined {
  if (isSynthetic(row)) return row.isApiErrorMessage === true ? 'api-error' : 'placeholder';
  return row.type === 'system' && row.subtype === 'api_error' ? 'api-retry' : undefined;
}
