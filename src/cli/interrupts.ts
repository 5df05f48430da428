import { exitCodes } from './exit-codes.ts';

/** What signals do to a run. */
export interface InterruptOptions {
  /** First Ctrl-C: tells the person; the signal is aborted after it. */
  readonly onFirst: () => void;
  /**
   * Called once before the process ends at once: rows are written as killed. Synchronous; must not
   * throw.
   */
  readonly rescue: () => void;
  /** An exception that nobody caught, before `rescue`; tells the person, returns the exit code. */
  readonly onUncaught: (error: unknown) => number;
}

/** The watch over signals during one run. */
export interface Interrupts {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Takes the handlers away. */
  stop(): void;
}

/**
 * Watches the signals of the process while a run is on.
 *
 * The first Ctrl-C aborts the signal, so that the run ends in good order; the second one ends the
 * process at once with 130. SIGHUP and SIGTERM end it with 129 and 143. Whatever ends it, the rows
 * are rescued first.
 */
export function watchInterrupts(options: InterruptOptions): Interrupts {
  const controller = new AbortController();
  const leave = (exitCode: number): void => {
    options.rescue();
    process.exit(exitCode);
  };
  const handlers = {
    SIGINT: () => {
      if (controller.signal.aborted) return leave(exitCodes.interrupted);
      options.onFirst();
      return controller.abort();
    },
    SIGHUP: () => leave(exitCodes.hangUp),
    SIGTERM: () => leave(exitCodes.terminated),
    uncaughtException: (error: unknown) => leave(options.onUncaught(error)),
  };
  const entries = Object.entries(handlers);
  for (const [name, handler] of entries) process.on(name, handler);
  return {
    signal: controller.signal,
    stop: () => {
      for (const [name, handler] of entries) process.off(name, handler);
    },
  };
}
