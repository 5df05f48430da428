import type { FailureClass, FailureFacts } from '../resilience/failure-facts.ts';
import { delayFor } from '../resilience/backoff.ts';
import { limitRetryAt } from '../resilience/limit-retry.ts';
import { waitUntilReachable } from '../resilience/probe.ts';
import { sleepUntil } from '../resilience/sleep-until.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import type { ScopedEvent } from './scoped-event.ts';

/** What failed and who is told of the wait. */
export interface RetryWait {
  readonly facts: FailureFacts;
  readonly kind: FailureClass;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: ScopedEvent) => void;
}

/**
 * Waits until another attempt makes sense: for the limit's reset, or for the network and then the
 * back-off.
 *
 * @returns `gave-up` when the bound of the wait was reached, `stopped` when the signal aborted.
 */
export async function waitBeforeRetry(
  parts: RuntimeParts,
  wait: RetryWait,
): Promise<'go' | 'gave-up' | 'stopped'> {
  try {
    const until = wait.kind === 'limited' ? limitRetryAt(wait.facts, parts.clock.now()) : null;
    if (until !== null) return await waitForLimit(parts, wait, until);
    return await waitForNetwork(parts, wait);
  } catch (error) {
    if (wait.signal?.aborted === true) return 'stopped';
    throw error;
  }
}

async function waitForLimit(
  parts: RuntimeParts,
  wait: RetryWait,
  until: Date,
): Promise<'go' | 'gave-up'> {
  const { clock, resilience } = parts;
  if (until.getTime() - clock.now().getTime() > resilience.maxLimitWaitMs) return 'gave-up';
  const startMs = clock.monotonicMs();
  wait.emit({ type: 'wait-start', reason: 'limit', target: 'limit', until: until.toISOString() });
  await sleepUntil(until, clock, wait.signal);
  wait.emit({
    type: 'wait-end',
    reason: 'limit',
    waitedMs: Math.round(clock.monotonicMs() - startMs),
    ok: true,
  });
  return 'go';
}

async function waitForNetwork(parts: RuntimeParts, wait: RetryWait): Promise<'go' | 'gave-up'> {
  const { clock, endpoint, resilience, random } = parts;
  if (endpoint !== null) {
    const target = `${endpoint.host}:${endpoint.port}`;
    let wasOffline = false;
    const { ok, waitedMs } = await waitUntilReachable(endpoint, resilience, {
      clock,
      random,
      onOffline: () => {
        wasOffline = true;
        wait.emit({ type: 'wait-start', reason: 'offline', target });
      },
      ...(wait.signal === undefined ? {} : { signal: wait.signal }),
    });
    if (wasOffline) {
      const whole = Math.round(waitedMs);
      wait.emit({ type: 'wait-end', reason: 'offline', waitedMs: whole, ok });
    }
    if (!ok) return 'gave-up';
  }
  const delayMs = delayFor(wait.attempt, resilience, random);
  wait.emit({
    type: 'attempt-retry',
    attempt: wait.attempt,
    failure: wait.kind,
    error: wait.facts.message ?? '',
    delayMs,
  });
  await clock.sleep(delayMs, wait.signal);
  return 'go';
}
