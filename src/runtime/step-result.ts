import type { TokenCounts } from '../events/event.ts';
import type { GitHeads } from '../ledger/git-head.ts';
import type { FailureClass } from '../resilience/failure-facts.ts';

/** Who did the work: recorded with every attempt, compared at every wake. */
export interface Versions {
  readonly flower: string;
  readonly sdk: string;
  /** Version of the Claude Code binary; empty when the process ended before it said so. */
  readonly binary: string;
  /** Model of the main thread; empty when no response came. */
  readonly model: string;
}

/**
 * Outcome of one `Runtime.run`: the fields of a manifest row.
 *
 * A failed run is a value (`ok: false`), not an exception. In `manifest.json` the same fields stand
 * in snake case (`cost_usd`, `started_at` in epoch seconds, `duration_s`), beside `run`.
 */
export interface StepResult<Output = unknown> {
  /** Manifest row: `X`, `X#retryN` or `X#roundN`. */
  readonly step: string;
  /** The last, living session; `null` when none was opened. */
  readonly sessionId: string | null;
  readonly ok: boolean;
  /** New spend of this run in USD, failed attempts and subagents included. */
  readonly costUsd: number;
  readonly numTurns: number;
  /** Prose of the main thread only, joined by newlines: no subagent, no prompt, no API error. */
  readonly text: string;
  readonly error: string | null;
  /** Class of the failure; `null` when `ok`. */
  readonly failure: FailureClass | null;
  /** Why the agent stopped, in the SDK's words (`budget_exhausted`, `max_turns`); `null` when `ok`. */
  readonly terminalReason: string | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly durationMs: number;
  /** Attempts made, the first included; hand-offs and interrupts do not count. */
  readonly attempts: number;
  /** One text per failed attempt. */
  readonly errors: readonly string[];
  /** True when the run went on in a session that already held records. */
  readonly resumed: boolean;
  /** Sessions that were used up and replaced, in order. */
  readonly retired: readonly string[];
  /** Largest main-thread context seen, in tokens. */
  readonly context: number;
  /** Validated structured output when a `schema` was given. */
  readonly output?: Output;
  /** Exact tokens of this run, subagents and failed attempts included. */
  readonly tokens: TokenCounts;
  /** Tokens among them whose price is not known. */
  readonly unpricedTokens: number;
  /** Retries that Claude Code made by itself inside the attempts. */
  readonly apiRetries: number;
  /** Codes of the alarms that were raised. */
  readonly alarms: readonly string[];
  readonly versions: Versions;
  /** Commits around the run; absent when the workspace is in no git repository. */
  readonly git?: GitHeads;
}
