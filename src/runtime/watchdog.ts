import type { SegmentMessage } from '../claude/engine.ts';

/**
 * Notices a stream that died silently.
 *
 * The clock runs only while nothing is expected to be quiet: a running tool and Claude Code's own
 * retry pauses stop it, however long they take. `onSilence` is called at most once.
 */
export class Watchdog {
  readonly #silentMs: number;
  readonly #onSilence: () => void;
  #quiet = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(silentMs: number, onSilence: () => void) {
    this.#silentMs = silentMs;
    this.#onSilence = onSilence;
    this.#arm();
  }

  /** Feeds it every message of the segment. */
  see(message: SegmentMessage): void {
    if (message.kind === 'activity') this.#quiet = message.quiet;
    this.stop();
    if (this.#quiet) this.#arm();
  }

  /** Ends the watch. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = setTimeout(this.#onSilence, this.#silentMs);
    this.#timer.unref();
  }
}
