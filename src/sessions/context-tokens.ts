import { z } from 'zod';
import type { TranscriptEntry } from '../transcript/entry.ts';

const tokens = z.number().nullish().catch(0);

const responseSchema = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false).optional(),
  message: z.object({
    model: z.string().optional(),
    usage: z.object({
      input_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
    }),
  }),
});

/**
 * Tokens that a main-conversation response had before it: input, cache read and cache write.
 *
 * 0 for everything that is no real response: other rows, sidechains, the `<synthetic>` messages
 * that Claude Code writes for API errors.
 */
export function contextTokens(entry: TranscriptEntry): number {
  const parsed = responseSchema.safeParse(entry);
  if (!parsed.success || parsed.data.message.model === '<synthetic>') return 0;
  const { usage } = parsed.data.message;
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0)
  );
}
