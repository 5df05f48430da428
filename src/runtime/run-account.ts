import type { SegmentResult } from '../claude/engine.ts';
import type { TokenCounts } from '../events/event.ts';
import { addTokens, zeroTokens } from '../events/token-counts.ts';
import type { GitHeads } from '../ledger/git-head.ts';
import type { Price } from '../ledger/model-usage.ts';
import { type ManifestRow, rowTokens } from '../ledger/manifest-row.ts';
import type { FailureClass } from '../resilience/failure-facts.ts';
import { roundTo } from './round-to.ts';
import type { StepResult, Versions } from './step-result.ts';

/** What a run is called and who makes it. */
export interface RunIdentity {
  /** Process mark. */
  readonly run: string;
  readonly label: string;
  readonly startedAtMs: number;
  readonly versions: Pick<Versions, 'flower' | 'sdk'>;
}

/** Adds up what happens in one `Runtime.run`, over all its attempts. */
export class RunAccount {
  readonly #identity: RunIdentity;
  readonly errors: string[] = [];
  readonly alarms: string[] = [];
  readonly retired: string[] = [];
  sessionId: string | null = null;
  attempts = 0;
  resumed = false;
  text = '';
  context = 0;
  apiRetries = 0;
  output: unknown;
  binary = '';
  /** Model that Claude Code said it would use. */
  model = '';
  /** Model of the first response. */
  servedModel = '';
  #git: GitHeads | undefined;
  #ok = false;
  #error: string | null = null;
  #failure: FailureClass | null = null;
  #terminalReason: string | null = null;
  #costUsd = 0;
  #unpricedTokens = 0;
  #numTurns = 0;
  #tokens: TokenCounts = zeroTokens;

  constructor(identity: RunIdentity) {
    this.#identity = identity;
  }

  /** New spend so far in USD. */
  get costUsd(): number {
    return this.#costUsd;
  }

  /** Adds one ended segment; `price` is its spend when the segment itself did not say it. */
  addSegment(result: SegmentResult, price: Price): void {
    this.#costUsd += price.costUsd;
    this.#unpricedTokens += price.unpricedTokens;
    this.#numTurns += result.numTurns;
    for (const tokens of Object.values(result.tokens)) {
      this.#tokens = addTokens(this.#tokens, tokens);
    }
  }

  /** Notes the commits around the run; `undefined` stands for a place without a repository. */
  noteHeads(before: string | null | undefined, after?: string | null): void {
    if (before === undefined && after === undefined) return;
    this.#git = { before: before ?? null, after: after ?? null };
  }

  succeed(): void {
    this.#ok = true;
    this.#error = null;
    this.#failure = null;
    this.#terminalReason = null;
  }

  fail(error: string, failure: FailureClass | null, terminalReason: string | null = null): void {
    this.#ok = false;
    this.#error = error;
    this.#failure = failure;
    this.#terminalReason = terminalReason;
  }

  /** The outcome as it stands at `endedAtMs`. */
  result(endedAtMs: number): StepResult {
    const { label, startedAtMs, versions } = this.#identity;
    return {
      step: label,
      sessionId: this.sessionId,
      ok: this.#ok,
      costUsd: this.#costUsd,
      numTurns: this.#numTurns,
      text: this.text,
      error: this.#error,
      failure: this.#failure,
      terminalReason: this.#terminalReason,
      startedAtMs,
      endedAtMs,
      durationMs: endedAtMs - startedAtMs,
      attempts: this.attempts,
      errors: [...this.errors],
      resumed: this.resumed,
      retired: [...this.retired],
      context: this.context,
      ...(this.output === undefined ? {} : { output: this.output }),
      tokens: this.#tokens,
      unpricedTokens: this.#unpricedTokens,
      apiRetries: this.apiRetries,
      alarms: [...this.alarms],
      versions: { ...versions, binary: this.binary, model: this.model },
      ...(this.#git === undefined ? {} : { git: this.#git }),
    };
  }
}

/** A result as the manifest holds it. */
export function manifestRowOf(result: StepResult, run: string): ManifestRow {
  return {
    step: result.step,
    session_id: result.sessionId,
    ok: result.ok,
    cost_usd: roundTo(result.costUsd, 6),
    num_turns: result.numTurns,
    text: result.text,
    error: result.error,
    started_at: result.startedAtMs / 1000,
    ended_at: result.endedAtMs / 1000,
    attempts: result.attempts,
    errors: [...result.errors],
    resumed: result.resumed,
    retired: [...result.retired],
    context: result.context,
    duration_s: roundTo(result.durationMs / 1000, 2),
    run,
    failure: result.failure,
    terminal_reason: result.terminalReason,
    ...(result.output === undefined ? {} : { output: result.output }),
    tokens: rowTokens(result.tokens),
    unpriced_tokens: result.unpricedTokens,
    api_retries: result.apiRetries,
    alarms: [...result.alarms],
    versions: result.versions,
    ...(result.git === undefined ? {} : { git: { ...result.git } }),
  };
}
