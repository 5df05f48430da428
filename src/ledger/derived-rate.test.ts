import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenCounts } from '../events/event.ts';
import { zeroTokens } from '../events/token-counts.ts';
import { priceOf } from './derived-rate.ts';

const count = fc.integer({ min: 0, max: 5_000_000 });
const tokens: fc.Arbitrary<TokenCounts> = fc.record({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

/** What an API with these ratios charges. */
function charge(used: TokenCounts, inputUsd: number): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = used;
  return (
    inputTokens * inputUsd +
    outputTokens * inputUsd * 5 +
    cacheReadTokens * inputUsd * 0.1 +
    cacheWriteTokens * inputUsd * 1.25
  );
}

describe('priceOf', () => {
  it('is exact for every price table with the fixed ratios', () => {
    const rate = fc.double({ min: 1e-7, max: 1e-3, noNaN: true });
    fc.assert(
      fc.property(
        rate,
        fc.array(tokens, { minLength: 1, maxLength: 5 }),
        tokens,
        (usd, seen, used) => {
          const recorded = seen.map((one) => ({ ...one, costUsd: charge(one, usd) }));
          const isPaid = recorded.some(({ costUsd }) => costUsd > 0);
          const expected = charge(used, usd);
          const price = priceOf(used, recorded);
          if (!isPaid) expect(price).toBeUndefined();
          else expect(Math.abs((price ?? 0) - expected)).toBeLessThanOrEqual(expected * 1e-9);
        },
      ),
    );
  });

  it.each([
    ['nothing was recorded', []],
    ['only free usage was recorded', [{ ...zeroTokens, inputTokens: 5, costUsd: 0 }]],
    ['a price without tokens was recorded', [{ ...zeroTokens, costUsd: 1 }]],
  ])('does not guess when %s', (_, recorded) => {
    expect(priceOf({ ...zeroTokens, inputTokens: 5 }, recorded)).toBeUndefined();
  });
});
