/**
 * The one event union (`v: 1`). Every view - terminal, `--json`, user code - is a consumer of it.
 *
 * Names are noun-verb. New fields and new types may be added under `v: 1`; a field never changes
 * its meaning. Everything here is plain JSON.
 */

import type { QuestionOutcome, SkipReason, VerdictItem, VerdictState } from './outcome.ts';

/** Where an event comes from, on every event of a step. */
export interface StepScope {
  /** Step name as the workflow declares it (`once` for a single agent). */
  readonly step: string;
  /** Manifest row: `X`, `X#retryN` or `X#roundN`. */
  readonly label: string;
}

/** Main thread when absent; otherwise the subagent that spoke or acted. */
export interface SpeakerScope {
  readonly subagent?: { readonly id: string; readonly type?: string };
}

/** Why flower waits. */
export type WaitReason = 'offline' | 'limit';

/** Tokens of one model response. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** A session of an earlier run that a step goes on in. */
export interface ContinuedSession {
  readonly step: string;
  readonly sessionId: string;
  /** Context of its last response in tokens; 0 when unknown. */
  readonly context: number;
  /** ISO time of its last record; `null` when no record has one. */
  readonly lastAt: string | null;
  /** Whether the API still holds the conversation in its prompt cache; a cold one is paid anew. */
  readonly cache: 'warm' | 'cold' | 'unknown';
}

/** The payload of each event, without the envelope. */
export type FlowerEventBody =
  // run
  | {
      readonly type: 'run-start';
      readonly flow: string;
      readonly woke: number;
      /** True when earlier sessions are continued. */
      readonly resumed: boolean;
      /** The sessions that the steps of this run go on in, as they stand now. */
      readonly continues: readonly ContinuedSession[];
      readonly steps: readonly string[];
      readonly workspace: string;
      readonly runDir: string;
    }
  | {
      readonly type: 'run-end';
      readonly ok: boolean;
      readonly failedAt?: string;
      readonly aborted?: string;
      readonly costUsd: number;
      /** Tokens whose price is not known (killed segments without a rate). */
      readonly unpricedTokens: number;
      readonly durationMs: number;
      readonly manifestPath: string;
    }
  // step
  | {
      readonly type: 'step-start';
      readonly step: string;
      /** From 1. */
      readonly index: number;
      readonly total: number;
      /** True when the step goes on in an earlier process's session. */
      readonly resumed: boolean;
      readonly woke: number;
    }
  | {
      readonly type: 'step-skip';
      readonly step: string;
      readonly index: number;
      readonly total: number;
      readonly reason: SkipReason;
    }
  | {
      readonly type: 'step-end';
      readonly step: string;
      readonly ok: boolean;
      readonly costUsd: number;
      readonly durationMs: number;
      readonly sessionId: string | null;
      readonly context: number;
      readonly error?: string;
    }
  // attempt
  | (StepScope & {
      readonly type: 'attempt-start';
      /** From 1; failures inside one `Runtime.run` count, hand-offs and interrupts do not. */
      readonly attempt: number;
      readonly sessionId: string;
      readonly resumed: boolean;
    })
  | (StepScope & {
      readonly type: 'attempt-retry';
      readonly attempt: number;
      readonly failure: string;
      readonly error: string;
      readonly delayMs: number;
    })
  // conversation
  | (StepScope & SpeakerScope & { readonly type: 'text'; readonly text: string })
  | (StepScope & SpeakerScope & { readonly type: 'thinking'; readonly text: string })
  | (StepScope & SpeakerScope & { readonly type: 'prompt'; readonly text: string })
  | (StepScope &
      SpeakerScope & {
        readonly type: 'tool-call';
        readonly id: string;
        readonly tool: string;
        /** The one argument a person wants to see (path, command, pattern); at most 200 characters. */
        readonly summary: string;
        readonly input: unknown;
      })
  | (StepScope &
      SpeakerScope & {
        readonly type: 'tool-result';
        readonly id: string;
        readonly tool: string;
        readonly ok: boolean;
        /** At most 500 characters. */
        readonly text: string;
        /** Set when the call was refused and never ran. */
        readonly denied?: boolean;
      })
  | (StepScope &
      SpeakerScope & {
        readonly type: 'usage';
        readonly messageId: string;
        readonly model: string;
        readonly tokens: TokenCounts;
        /** Input + cache read + cache write of this response, in tokens. */
        readonly context: number;
      })
  | (StepScope & {
      readonly type: 'reset';
      readonly trigger: string;
      readonly preTokens?: number;
      readonly postTokens?: number;
    })
  // waiting
  | (StepScope & {
      readonly type: 'wait-start';
      readonly reason: WaitReason;
      /** What is waited for: `host:port`, or the name of the limit. */
      readonly target: string;
      /** ISO time of the next try or of the reset, when it is known. */
      readonly until?: string;
    })
  | (StepScope & {
      readonly type: 'wait-end';
      readonly reason: WaitReason;
      readonly waitedMs: number;
      readonly ok: boolean;
    })
  // the person
  | (StepScope & {
      readonly type: 'question-ask';
      /** `q<n>`, unique in the run directory. */
      readonly id: string;
      readonly question: string;
      readonly options: readonly string[];
      /** How long an answer is waited for; `null`: as long as the process lives. */
      readonly remainingMs: number | null;
      /** Questions that may still be asked after this one; `null`: any number. */
      readonly remainingAsks: number | null;
    })
  | (StepScope & {
      readonly type: 'question-close';
      readonly id: string;
      readonly outcome: QuestionOutcome;
      /** Empty unless answered. */
      readonly answer: string;
      readonly waitedMs: number;
    })
  | {
      readonly type: 'remark-queue';
      /** `m<n>`, unique in the run directory. */
      readonly id: string;
      readonly text: string;
      /** True when the brief holds it now, so that it outlives this step. */
      readonly amended: boolean;
    }
  | { readonly type: 'remark-withdraw'; readonly id: string }
  | (StepScope & {
      readonly type: 'remark-deliver';
      readonly id: string;
      readonly text: string;
    })
  | (StepScope & {
      /** The person broke in; the same session goes on with what was said. */
      readonly type: 'interrupt';
      /** Empty: nothing was said. */
      readonly text: string;
    })
  | { readonly type: 'aside-start'; readonly id: string; readonly question: string }
  | {
      readonly type: 'aside-end';
      readonly id: string;
      readonly ok: boolean;
      readonly answer: string;
      readonly costUsd: number;
    }
  // the goal
  | (StepScope & {
      /** A command of a check of the goal was run by flower itself. */
      readonly type: 'check-run';
      readonly round: number;
      /** From 1, among the checks of the goal. */
      readonly index: number;
      readonly command: string;
      /** `null`: it was ended by a signal or by its time limit. */
      readonly exitCode: number | null;
      readonly timedOut: boolean;
      readonly durationMs: number;
    })
  | (StepScope & {
      readonly type: 'verdict';
      /** From 1; rounds begin anew at each wake. */
      readonly round: number;
      readonly rounds: number;
      readonly state: VerdictState;
      readonly reason: string;
      readonly items: readonly VerdictItem[];
      /** The same items failed in the round before. */
      readonly sameGaps: boolean;
      /** Test files that were weakened since the round began. */
      readonly weakened: readonly string[];
      /** Where the whole verdict stands; empty without a workbench. */
      readonly path: string;
    })
  // things a person must or may want to know; texts live in the locale catalogues
  | {
      readonly type: 'alarm';
      readonly code: AlarmCode;
      readonly params: Readonly<Record<string, string | number>>;
    }
  | {
      readonly type: 'notice';
      readonly code: NoticeCode;
      readonly params: Readonly<Record<string, string | number>>;
    };

/** Something may have been lost or left behind. Shown loudly and kept in the manifest. */
export type AlarmCode =
  | 'transcript-not-saved'
  | 'transcript-row-late'
  | 'transcript-incomplete'
  | 'database-set-aside'
  | 'write-failed'
  | 'hook-failed'
  | 'consumer-failed'
  | 'lease-lost'
  | 'orphans-left';

/** Worth one dim line. */
export type NoticeCode =
  | 'conversation-absent'
  | 'document-frozen'
  | 'goal-unverifiable'
  | 'workspace-moved'
  | 'file-set-aside'
  | 'api-retry'
  | 'orphans-ended'
  | 'killed-segment'
  | 'model-differs'
  | 'project-settings-ignored'
  | 'rows-recovered'
  | 'silent-stream'
  | 'value-not-stored'
  | 'version-differs';

/** What every event carries besides its body. */
export interface EventEnvelope {
  readonly v: 1;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Process mark `YYYYmmdd-HHMMSS-<6 hex>`, as in the manifest. */
  readonly run: string;
}

/** One event, as consumers get it and as `--json` prints it. */
export type FlowerEvent = EventEnvelope & FlowerEventBody;

/** Receives events, in order, on the caller's thread. May throw: it never breaks a run. */
export type EventConsumer = (event: FlowerEvent) => void;
