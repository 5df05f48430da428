/** Bounds of the wait between two attempts. */
export interface BackoffOptions {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** What the server asked for (`retry-after`); a shorter wait than this is not used. */
  readonly retryAfterMs?: number;
}

/**
 * How long to wait after a failed attempt: doubling, bounded, spread by a quarter either way.
 *
 * @param attempt - The attempt that failed, from 1.
 * @param random - Gives a number from 0 up to, but not including, 1.
 * @returns Milliseconds, not rounded.
 */
export function delayFor(
  attempt: number,
  { baseDelayMs, maxDelayMs, retryAfterMs = 0 }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const doubledMs = baseDelayMs * 2 ** (Math.max(attempt, 1) - 1);
  const delayMs = Math.min(doubledMs, maxDelayMs) * (0.75 + random() * 0.5);
  return Math.max(delayMs, retryAfterMs);
}

/**
 * Reads an HTTP `retry-after` value: seconds, or a date.
 *
 * @returns Milliseconds from `now`, never negative; `null` when the value says nothing.
 */
export function parseRetryAfter(value: string, now: Date): number | null {
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/[a-z]{3}/i.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime());
}
