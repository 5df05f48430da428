import { z } from 'zod';
import type { TokenCounts } from '../events/event.ts';

const count = z.number().catch(0);

/**
 * One row of `manifest.json`: the seeds' fields, then ours. Unknown fields pass through.
 *
 * `started_at` and `ended_at` are epoch seconds, `duration_s` has two decimals, `run` is the mark
 * of the process that made the row.
 */
export const manifestRow = z.looseObject({
  run: z.string(),
  step: z.string(),
  session_id: z.string().nullable().catch(null),
  ok: z.boolean().catch(false),
  cost_usd: count,
  num_turns: count,
  text: z.string().catch(''),
  error: z.string().nullable().catch(null),
  started_at: count,
  ended_at: count,
  duration_s: count,
  attempts: z.number().catch(1),
  errors: z.array(z.string()).catch([]),
  resumed: z.boolean().catch(false),
  retired: z.array(z.string()).catch([]),
  context: count,
});

/** A parsed row of the manifest. */
export type ManifestRow = z.infer<typeof manifestRow>;

/** The tokens of a row, under its on-disk names. */
export type RowTokens = Readonly<
  Record<'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens', number>
>;

/** Tokens as the manifest writes them. */
export function rowTokens(tokens: TokenCounts): RowTokens {
  return {
    input_tokens: tokens.inputTokens,
    output_tokens: tokens.outputTokens,
    cache_read_tokens: tokens.cacheReadTokens,
    cache_write_tokens: tokens.cacheWriteTokens,
  };
}
