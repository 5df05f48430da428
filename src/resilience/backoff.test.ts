import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayFor } from './backoff.ts';

describe('delayFor', () => {
  const bounds = { baseDelayMs: 4000, maxDelayMs: 120_000 };

  it.each([
    [1, 4000],
    [2, 8000],
    [5, 64_000],
    [6, 120_000],
    [5000, 120_000],
  ])('attempt %i waits %i ms in the middle of the spread', (attempt, expected) => {
    expect(delayFor(attempt, bounds, () => 0.5)).toBe(expected);
  });

  it('stays within a quarter of the unspread delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const middleMs = delayFor(attempt, bounds, () => 0.5);
          const delayMs = delayFor(attempt, bounds, () => random);
          expect(delayMs).toBeGreaterThanOrEqual(Math.floor(middleMs * 0.75));
          expect(delayMs).toBeLessThanOrEqual(Math.ceil(middleMs * 1.25));
        },
      ),
    );
  });
});
