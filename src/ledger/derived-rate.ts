import type { TokenCounts } from '../events/event.ts';

/** What a model was paid for a number of tokens, as the SDK reported it. */
export interface PricedUsage extends TokenCounts {
  readonly costUsd: number;
}

/**
 * Price of a kind of token in units of an input token: the same for every model of the API, while
 * the price of the input token itself is not. flower keeps no price table.
 */
const kindWeights: Readonly<Record<keyof TokenCounts, number>> = Object.freeze({
  inputTokens: 1,
  outputTokens: 5,
  cacheReadTokens: 0.1,
  cacheWriteTokens: 1.25,
});

/**
 * USD for tokens of one model, at the rate that its recorded usage had.
 *
 * @returns `undefined` when nothing was recorded: such tokens are shown as unpriced.
 */
export function priceOf(tokens: TokenCounts, recorded: readonly PricedUsage[]): number | undefined {
  const paidUnits = sum(recorded.map(weigh));
  const paidUsd = sum(recorded.map((usage) => usage.costUsd));
  if (paidUnits === 0 || paidUsd === 0) return undefined;
  return (weigh(tokens) * paidUsd) / paidUnits;
}

function weigh(tokens: TokenCounts): number {
  return (
    tokens.inputTokens * kindWeights.inputTokens +
    tokens.outputTokens * kindWeights.outputTokens +
    tokens.cacheReadTokens * kindWeights.cacheReadTokens +
    tokens.cacheWriteTokens * kindWeights.cacheWriteTokens
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
