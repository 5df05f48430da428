import type { TranscriptEntry } from './entry.ts';
import { blocksOf, toolResultId } from './row.ts';

/** The tool that Claude Code offers when an output format is asked for. */
export const STRUCTURED_OUTPUT = 'StructuredOutput';

/** Ids of the calls whose result is an error. */
export function failedCallIds(entries: readonly TranscriptEntry[]): ReadonlySet<string> {
  const ids = entries
    .flatMap(blocksOf)
    .map((block) => (block.is_error === true ? toolResultId(block) : undefined));
  return new Set(ids.filter((id) => id !== undefined));
}
