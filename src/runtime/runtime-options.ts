import type { Engine } from '../claude/engine.ts';
import type { EventConsumer } from '../events/event.ts';
import type { Clock } from '../resilience/clock.ts';
import type { Resilience } from '../resilience/resilience-options.ts';

/** How a `Runtime` is made. */
export interface RuntimeOptions {
  /** Working directory of the agents. Must exist. */
  readonly workspace: string;
  /**
   * Where everything of the runs is kept; resolved against the current directory, not the workspace.
   *
   * @defaultValue `'runs'`
   */
  readonly runDir?: string;
  /** Model of every agent, over the spec's own. @defaultValue the spec's */
  readonly model?: string;
  /**
   * Whether the project's `.claude/` and `CLAUDE.md` count. @defaultValue `false`
   */
  readonly projectSettings?: boolean;
  /** Waiting and trying again; `false` turns it off. @defaultValue `true` */
  readonly resilience?: boolean | Partial<Resilience>;
  /**
   * Environment of the agents. @defaultValue the process's, completed by the `.env` files
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives every event of this runtime. */
  readonly onEvent?: EventConsumer;
  /**
   * How long a stream may show no sign of life while no tool runs, in milliseconds.
   *
   * @defaultValue 600000
   */
  readonly silentMs?: number;
  /**
   * Another engine than Claude Code, for flower's own benchmarks and tests.
   *
   * @defaultValue Claude Code
   * @internal
   */
  readonly engine?: Engine;
  /** @defaultValue the machine's */
  readonly clock?: Clock;
  /** Source of jitter, from 0 to 1. @defaultValue `Math.random` */
  readonly random?: () => number;
}
