import type { TokenCounts } from '../events/event.ts';
import type { TranscriptEntry } from './entry.ts';
import { isBoundary, isObject, type JsonObject, messageOf, stringOf } from './row.ts';
import { isSynthetic } from './synthetic.ts';

/** Tokens of several responses, and how many responses they were. */
export type UsageSum = TokenCounts & { readonly messages: number };

/** Tokens by model name, and all together. */
export interface UsageByModel {
  readonly byModel: Readonly<Record<string, UsageSum>>;
  readonly total: UsageSum;
}

const NOTHING: UsageSum = {
  messages: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/**
 * Sums the tokens of a transcript's responses.
 *
 * One response is written as several rows that repeat its usage, or let it grow: the last usage of
 * each `message.id` counts. Synthetic rows count nothing. Give it rows as written, not shaped ones.
 */
export function sumUsage(entries: readonly TranscriptEntry[]): UsageByModel {
  const responses = new Map<string, { readonly model: string; readonly tokens: TokenCounts }>();
  for (const row of entries) {
    const usage = usageOf(row);
    const id = stringOf(messageOf(row)?.id);
    if (usage === undefined || id === undefined) continue;
    responses.set(id, {
      model: stringOf(messageOf(row)?.model) ?? 'unknown',
      tokens: countsOf(usage),
    });
  }
  const byModel = new Map<string, UsageSum>();
  let total = NOTHING;
  for (const { model, tokens } of responses.values()) {
    byModel.set(model, plus(byModel.get(model) ?? NOTHING, tokens));
    total = plus(total, tokens);
  }
  return { byModel: Object.fromEntries(byModel), total };
}

/**
 * The size of the context at the last real response, in tokens: input, cache read and cache write.
 *
 * Only responses behind the last compaction count; right after one it is the size that the
 * compaction recorded. 0 when nothing is known.
 */
export function lastContextTokens(entries: readonly TranscriptEntry[]): number {
  for (const row of [...entries].reverse()) {
    if (row.isSidechain === true) continue;
    if (isBoundary(row)) {
      return isObject(row.compactMetadata) ? tokensOf(row.compactMetadata.postTokens) : 0;
    }
    const usage = usageOf(row);
    if (usage === undefined) continue;
    const counts = countsOf(usage);
    const context = counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;
    if (context > 0) return context;
  }
  return 0;
}

function usageOf(row: TranscriptEntry): JsonObject | undefined {
  if (row.type !== 'assistant' || isSynthetic(row)) return undefined;
  const usage = messageOf(row)?.usage;
  return isObject(usage) ? usage : undefined;
}

function countsOf(usage: JsonObject): TokenCounts {
  return {
    inputTokens: tokensOf(usage.input_tokens),
    outputTokens: tokensOf(usage.output_tokens),
    cacheReadTokens: tokensOf(usage.cache_read_input_tokens),
    cacheWriteTokens: tokensOf(usage.cache_creation_input_tokens),
  };
}

function tokensOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function plus(sum: UsageSum, tokens: TokenCounts): UsageSum {
  return {
    messages: sum.messages + 1,
    inputTokens: sum.inputTokens + tokens.inputTokens,
    outputTokens: sum.outputTokens + tokens.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + tokens.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens + tokens.cacheWriteTokens,
  };
}
