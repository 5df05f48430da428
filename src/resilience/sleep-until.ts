import type { Clock } from './clock.ts';

/** A machine that slept, or a corrected clock, is noticed within this time. */
const LONGEST_SLICE_MS = 30_000;

/**
 * Waits for a moment on the wall clock, also when the machine sleeps or its clock is set meanwhile.
 *
 * Resolves at once for a moment that has passed; rejects with the signal's reason when it aborts.
 */
export async function sleepUntil(until: Date, clock: Clock, signal?: AbortSignal): Promise<void> {
  let leftMs = until.getTime() - clock.now().getTime();
  while (leftMs > 0) {
    await clock.sleep(Math.min(leftMs, LONGEST_SLICE_MS), signal);
    leftMs = until.getTime() - clock.now().getTime();
  }
}
