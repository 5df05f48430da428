/** Time as the waiting code needs it; passed in, so that a test never sleeps. */
export interface Clock {
  /** Wall-clock time; may jump. */
  now(): Date;
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers fire at once for anything longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = Object.freeze({
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms: number, signal?: AbortSignal) => {
    let leftMs = ms;
    while (leftMs > LONGEST_TIMER_MS) {
      await sleepOnce(LONGEST_TIMER_MS, signal);
      leftMs -= LONGEST_TIMER_MS;
    }
    await sleepOnce(leftMs, signal);
  },
});

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
