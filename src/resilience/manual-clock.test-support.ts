import type { Clock } from './clock.ts';

interface Sleeper {
  readonly wakeAtMs: number;
  readonly resolve: () => void;
}

/**
 * A clock that stands still until a test moves it.
 *
 * With `autoAdvance` every sleep moves it at once by the time slept, so code that waits runs
 * through without any real waiting; `sleptMs` says what it waited.
 */
export class ManualClock implements Clock {
  readonly sleptMs: number[] = [];
  readonly #startedAt: number;
  readonly #autoAdvance: boolean;
  #elapsedMs = 0;
  #sleepers: Sleeper[] = [];

  constructor(options: { readonly now?: Date; readonly autoAdvance?: boolean } = {}) {
    this.#startedAt = (options.now ?? new Date('2026-01-01T00:00:00Z')).getTime();
    this.#autoAdvance = options.autoAdvance ?? false;
  }

  /** How many callers are asleep now. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  now(): Date {
    return new Date(this.#startedAt + this.#elapsedMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleptMs.push(ms);
    if (signal?.aborted) return Promise.reject(new Error('aborted', { cause: signal.reason }));
    if (this.#autoAdvance) {
      this.advance(ms);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper = { wakeAtMs: this.#elapsedMs + ms, resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(new Error('aborted', { cause: signal.reason }));
      });
    });
  }

  /** Moves the time on and wakes whoever is due, the earliest first. */
  advance(ms: number): void {
    this.#elapsedMs += ms;
    const due = this.#sleepers.filter((one) => one.wakeAtMs <= this.#elapsedMs);
    this.#sleepers = this.#sleepers.filter((one) => one.wakeAtMs > this.#elapsedMs);
    due.sort((left, right) => left.wakeAtMs - right.wakeAtMs);
    for (const sleeper of due) sleeper.resolve();
  }
}
