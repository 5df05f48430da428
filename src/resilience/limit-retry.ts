import type { FailureFacts } from './failure-facts.ts';
import { parseLimitReset } from './limits.ts';

/** Servers and clocks disagree a little; asking a moment too early costs another refusal. */
const MARGIN_MS = 30_000;

/** A stated minute that passed this recently is today's, not tomorrow's. */
const JUST_PASSED_MS = 5 * 60_000;

/** Only a reset this far ahead can be a minute that has just passed, read as its next occurrence. */
const FAR_MS = 12 * 3_600_000;

/**
 * When to try again after a limit, with a margin.
 *
 * The structured reset wins over the text. Where the stated minute has just passed (the limit is
 * open any moment, or the clocks differ) the answer is one margin from now, so the caller must bound
 * how often it asks.
 *
 * @param timeZone - Zone of a text that names none; the system's when left out.
 * @returns `null` when nothing states a time.
 */
export function limitRetryAt(facts: FailureFacts, now: Date, timeZone?: string): Date | null {
  const nowMs = now.getTime();
  if (facts.limitResetsAt !== undefined) {
    return new Date(Math.max(facts.limitResetsAt * 1000, nowMs) + MARGIN_MS);
  }
  const text = facts.message ?? '';
  const reset = parseLimitReset(text, now, timeZone);
  if (reset === null) return null;
  const isFar = reset.getTime() - nowMs > FAR_MS;
  if (isFar && hasJustPassed(text, nowMs, timeZone)) return new Date(nowMs + MARGIN_MS);
  return new Date(reset.getTime() + MARGIN_MS);
}

function hasJustPassed(text: string, nowMs: number, timeZone: string | undefined): boolean {
  const recent = parseLimitReset(text, new Date(nowMs - JUST_PASSED_MS), timeZone);
  return recent !== null && recent.getTime() <= nowMs;
}
