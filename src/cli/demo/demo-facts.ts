import type { RunStatus } from '../../runtime/status.ts';

/** Why a demo ended before it could be judged. */
export type DemoFault =
  | 'tool-not-started'
  | 'first-run-not-dead'
  | 'wake-not-ended'
  | 'status-failed'
  | 'stopped';

/** How the last run stands, as `flower status` says; `null` without a run. */
export type SeenOutcome = NonNullable<RunStatus['lastRun']>['outcome'] | null;

/** A number before the kill and in all. */
export interface BeforeAndAfter {
  readonly before: number;
  readonly inAll: number;
}

/** What the first run was when it was killed, and what was left. */
export interface CutFacts {
  /** The process that got SIGKILL. */
  readonly pid: number;
  /** Processes of the run that were alive at that moment, `pid` and the server included. */
  readonly processes: number;
  /** Pid of the background server that the agent had started. */
  readonly serverPid: number;
  /** Those of them that were still alive when the time was over. */
  readonly left: readonly number[];
  readonly endedAfterMs: number;
  /** What `flower status` says then: `unfinished`, which steps passed, which goes on. */
  readonly outcome: SeenOutcome;
  readonly passed: readonly string[];
  readonly unfinished: readonly string[];
  /** Requests of the step `read` so far. */
  readonly readRequests: number;
  /** Session of the step `make`. */
  readonly sessionId: string;
  /** Its rows on disk: sequence and text. */
  readonly entries: readonly { readonly sequence: number; readonly payload: string }[];
}

/** Everything that the demo found out, from disk and from the record of the API. */
export interface DemoFacts {
  readonly folder: string;
  readonly workspace: string;
  readonly runDir: string;
  readonly manifestPath: string;
  readonly durationMs: number;
  readonly cut: Omit<CutFacts, 'entries' | 'readRequests'>;
  readonly wake: {
    /** `null`: ended by a signal. */
    readonly exitCode: number | null;
    readonly durationMs: number;
    readonly outcome: SeenOutcome;
    readonly woke: number;
  };
  /** Requests of the step `read`. */
  readonly readRequests: BeforeAndAfter;
  readonly session: {
    readonly before: string;
    readonly after: string;
    /** Every session that the API saw for the step. */
    readonly seenByApi: readonly string[];
  };
  readonly entries: {
    readonly before: number;
    /** Those of them that stand there unchanged after the wake. */
    readonly kept: number;
    readonly after: number;
  };
  /** What the model was shown of the call that the kill cut off; `null` when it was hidden. */
  readonly cutCallResult: string | null;
  /** How often the delivery happened. */
  readonly deliveries: number;
  readonly gate: {
    /** Rows of the step `verify`, in order. */
    readonly rows: readonly string[];
    /** What the gate's objection was; `null` when none reached the model. */
    readonly objection: string | null;
    /** Sessions of these rows, each once. */
    readonly sessions: readonly string[];
    /** What the finished program prints, and what it must. */
    readonly printed: string;
    readonly words: number;
  };
  readonly cost: {
    readonly manifestUsd: number;
    /** The API's usage at the rate of step `read`. */
    readonly apiUsd: number;
    readonly manifestTokens: number;
    readonly apiTokens: number;
    /** Of the row that the kill left behind. */
    readonly killedUsd: number;
  };
}
