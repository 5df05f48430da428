/** Bounds of the wait between two attempts. */
export interface BackoffOptions {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * How long to wait after a failed attempt: doubling, bounded, spread by a quarter either way.
 *
 * @param attempt - The attempt that failed, from 1.
 * @param random - Gives a number from 0 up to, but not including, 1.
 * @returns Whole milliseconds.
 */
export function delayFor(
  attempt: number,
  { baseDelayMs, maxDelayMs }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const doubledMs = baseDelayMs * 2 ** (Math.max(attempt, 1) - 1);
  return Math.round(Math.min(doubledMs, maxDelayMs) * (0.75 + random() * 0.5));
}
