import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayFor, parseRetryAfter } from './backoff.ts';

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
          expect(delayMs).toBeGreaterThanOrEqual(middleMs * 0.75);
          expect(delayMs).toBeLessThanOrEqual(middleMs * 1.25);
        },
      ),
    );
  });

  it('waits at least as long as the server asked', () => {
    expect(delayFor(1, { ...bounds, retryAfterMs: 300_000 }, () => 0)).toBe(300_000);
    expect(delayFor(1, { ...bounds, retryAfterMs: 1000 }, () => 0)).toBe(3000);
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-08-06T12:00:00Z');

  it.each([
    ['30', 30_000],
    [' 1.5 ', 1500],
    ['Thu, 06 Aug 2026 12:01:00 GMT', 60_000],
    ['Thu, 06 Aug 2026 11:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['', null],
  ])('%j is %j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
