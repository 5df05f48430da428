import type { ZodType } from 'zod';
import type { EventConsumer } from '../events/event.ts';

/**
 * How one `Runtime.run` is started.
 *
 * `resume` continues a session, `resume` + `fork` branches it (the original stays untouched),
 * `resume` + `resumeAt` rolls back to a message.
 */
export interface RunOptions<Output = unknown> {
  /** Name of the manifest row. @defaultValue the spec's name */
  readonly stepName?: string;
  /** Session to continue. @defaultValue none: a new session */
  readonly resume?: string;
  /** Branch the resumed session instead of continuing it. @defaultValue `false` */
  readonly fork?: boolean;
  /** UUID of the transcript message to roll back to; only with `resume`. */
  readonly resumeAt?: string;
  /** Receives this run's events, in order; a throw is reported as an alarm and changes nothing. */
  readonly onEvent?: EventConsumer;
  /** Stops the run: the agent and everything it started are ended, the result says so. */
  readonly signal?: AbortSignal;
  /** Asks for a structured answer; `StepResult.output` holds it, validated. */
  readonly schema?: ZodType<Output>;
  /**
   * Id of the session to open (new session or fork). @defaultValue a random UUID
   */
  readonly sessionId?: string;
  /**
   * The prompt only says "go on": a turn that was cut is continued where it broke instead of being
   * answered with a new message. @defaultValue `false`
   */
  readonly continuing?: boolean;
  /** Called once, before the agent starts, with its session and where its own rows will begin. */
  readonly onStart?: (session: RunSession) => void;
  /** Called once, when the first row of this run is on disk; must not throw. */
  readonly onRecord?: (sessionId: string) => void;
}

/** The session of a run that is about to start. */
export interface RunSession {
  readonly sessionId: string;
  /** Sequence of the first row that this run will add to the main conversation. */
  readonly firstSequence: number;
}
