import type { TokenCounts } from './event.ts';

/** No tokens at all. */
export const zeroTokens: TokenCounts = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

/** Sum of two counts, kind by kind. */
export function addTokens(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
  };
}

/** All tokens of a count, whatever their kind. */
export function totalTokens(tokens: TokenCounts): number {
  return (
    tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens
  );
}

/** Tokens that the model saw: everything but its output. */
export function contextTokens(tokens: TokenCounts): number {
  return tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
}
