import type { FlowerEventBody, TokenCounts } from '../events/event.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import type { TurnState } from '../transcript/turn-state.ts';
import type { AgentSpec } from './agent-spec.ts';

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown
  ? Omit<Union, Keys>
  : never;

/** What an agent said or did; the runtime adds step and row. */
export type ConversationEvent = DistributiveOmit<
  Extract<
    FlowerEventBody,
    { type: 'text' | 'thinking' | 'prompt' | 'tool-call' | 'tool-result' | 'usage' | 'reset' }
  >,
  'step' | 'label'
>;

/** An alarm or a notice of the engine. */
export type EngineSignal = Extract<FlowerEventBody, { type: 'alarm' | 'notice' }>;

/** How a session stands on disk. */
export interface SessionStanding {
  /** True when the session holds at least one `user` or `assistant` row. */
  readonly exists: boolean;
  /** False when the conversation begins in the middle: rows before it are nowhere to be found. */
  readonly isWhole: boolean;
  readonly turn: TurnState;
  /** Main-thread prose of the last turn. */
  readonly turnText: string;
  /** Structured answer of the last turn, if it gave one. */
  readonly structuredOutput: unknown;
  /** Rows that only Claude Code's own file had and that were taken into the store. */
  readonly recovered: number;
  /** Place that the next row of the main conversation will get. */
  readonly nextSequence: number;
}

/**
 * How a segment begins: `new` opens the session, `prompt` says something in an existing one,
 * `turn` goes on in the middle of its cut turn (the prompt is then only the wake text).
 */
export type SegmentStart = 'new' | 'prompt' | 'turn';

/** One process of the agent, from start to end. */
export interface SegmentRequest {
  readonly spec: AgentSpec;
  readonly sessionId: string;
  readonly start: SegmentStart;
  readonly prompt: string;
  /** Roll the session back to this message first; only with `start: 'prompt'`. */
  readonly resumeAt?: string;
  /** JSON schema of the structured answer. */
  readonly outputSchema?: Record<string, unknown>;
  /** What this segment may still spend, in USD. */
  readonly budgetUsd?: number;
  /** Mark that every process of this segment carries in its environment. */
  readonly mark: string;
  readonly signal: AbortSignal;
  /** Called once, before any prompt is sent, with the process and its start token. */
  readonly onProcess: (pid: number, start: string) => void;
  /** Called once, when the first `user` or `assistant` row of this segment is on disk. */
  readonly onRecord: () => void;
}

/** How a segment ended. */
export interface SegmentResult {
  readonly kind: 'result';
  readonly ok: boolean;
  /** New spend of this process in USD; `null` when it ended without saying so. */
  readonly costUsd: number | null;
  readonly numTurns: number;
  readonly structuredOutput?: unknown;
  /** What went wrong; absent when `ok`. */
  readonly facts?: FailureFacts;
  /** What each model cost, by its own name; the source of derived rates. */
  readonly modelUsage: Readonly<Record<string, TokenCounts & { readonly costUsd: number }>>;
  /** Exact tokens of every row of this segment, by model. */
  readonly tokens: Readonly<Record<string, TokenCounts>>;
}

/** What a running segment tells. */
export type SegmentMessage =
  | { readonly kind: 'event'; readonly event: ConversationEvent }
  | { readonly kind: 'signal'; readonly signal: EngineSignal }
  | { readonly kind: 'init'; readonly binaryVersion: string; readonly model: string }
  /** The stream is alive; `quiet` is false while a tool runs or Claude Code itself waits to retry. */
  | { readonly kind: 'activity'; readonly quiet: boolean }
  | { readonly kind: 'api-retry'; readonly delayMs: number; readonly status: number | null }
  | SegmentResult;

/**
 * Runs agent processes. The real one drives Claude Code; benchmarks bring a stub.
 *
 * `run` yields exactly one `result`, the last message; it throws only for a damaged store. When it has ended, no
 * process of the segment is left, and all rows that the process wrote are in the store.
 */
export interface Engine {
  readonly sdkVersion: string;
  /** Takes in what Claude Code's local files have and the store lacks, and says how the session stands. */
  inspect(sessionId: string): Promise<SessionStanding>;
  /** Takes in what the local files of a session have that was run under another path. */
  takeInFrom?(workspace: string, sessionId: string): Promise<void>;
  run(request: SegmentRequest): AsyncIterable<SegmentMessage>;
}
