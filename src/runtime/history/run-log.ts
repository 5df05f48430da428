import type { GitHeads } from '../../ledger/git-head.ts';
import type { Diffstat, UncommittedChanges } from './git-changes.ts';

/** What git says of one attempt. */
export interface LoggedGit extends GitHeads {
  /** Committed between the two heads; `null` when nothing was, or that is not known. */
  readonly diffstat: Diffstat | null;
  /**
   * What is not committed yet, counted against the head before; only of the last attempt, since it
   * is not known who left it there.
   */
  readonly uncommitted: UncommittedChanges | null;
}

/**
 * How an attempt was judged: `failed` by an error, `rejected` by its gate, `cut` when its process
 * died, `running` when it is at work.
 */
export type AttemptVerdict = 'ok' | 'rejected' | 'failed' | 'cut' | 'running';

/** One attempt at a step: a row of the manifest. */
export interface LoggedAttempt {
  /** Name of the row: `X`, `X#retryN` or `X#roundN`. */
  readonly step: string;
  readonly verdict: AttemptVerdict;
  readonly sessionId: string | null;
  readonly error: string | null;
  readonly costUsd: number;
  /** Tokens whose price is not known. */
  readonly unpricedTokens: number;
  readonly numTurns: number;
  /** Segments that it took, retries after failures included. */
  readonly attempts: number;
  /** ISO time. */
  readonly startedAt: string;
  readonly durationS: number;
  readonly context: number;
  /** True when it went on in a session that held records. */
  readonly resumed: boolean;
  /** `null` where the workspace is in no repository, or the row is older than this field. */
  readonly git: LoggedGit | null;
}

/** One process that worked in this directory. */
export interface LoggedRun {
  readonly run: string;
  /** Workflows that it ran; `''` is one without a name, none is a single agent. */
  readonly flows: readonly string[];
  /** Which waking of the directory it was; `null` for a single agent or when that is not known. */
  readonly woke: number | null;
  /** ISO time. */
  readonly startedAt: string;
  /** `null` while it runs, or when it was killed. */
  readonly endedAt: string | null;
  /** `null` for a single agent. */
  readonly outcome: 'finished' | 'unfinished' | 'running' | null;
  readonly costUsd: number;
  readonly attempts: readonly LoggedAttempt[];
}

/** The history of a run directory, oldest run first. */
export interface RunLog {
  readonly workspace: string;
  readonly runDir: string;
  readonly runs: readonly LoggedRun[];
  readonly costUsd: number;
  readonly unpricedTokens: number;
}
