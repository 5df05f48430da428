import type { TranscriptEntry } from './entry.ts';
import type { Cleaning } from './report.ts';
import { blocksOf, toolResultId, toolUseId } from './row.ts';
import { withoutBlocks } from './tool-blocks.ts';

/** Takes tool results out whose call is nowhere in the transcript. No call is invented. */
export function withoutOrphanResults(entries: readonly TranscriptEntry[]): Cleaning {
  const calls = new Set<string>();
  for (const row of entries) {
    if (row.type !== 'assistant') continue;
    for (const block of blocksOf(row)) {
      const id = toolUseId(block);
      if (id !== undefined) calls.add(id);
    }
  }
  return withoutBlocks(
    entries,
    (block, row) => {
      const id = row.type === 'user' ? toolResultId(block) : undefined;
      return id !== undefined && !calls.has(id);
    },
    'orphan-result',
  );
}
