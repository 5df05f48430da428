import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import type { SegmentResult, SessionStanding } from '../claude/engine.ts';
import type { FlowerEvent, FlowerEventBody } from '../events/event.ts';
import { gitHead } from '../ledger/git-head.ts';
import { classify, isWorthRetrying } from '../resilience/classify.ts';
import type { FailureClass, FailureFacts } from '../resilience/failure-facts.ts';
import { AttemptRow } from './attempt-row.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { waitBeforeRetry } from './retry-wait.ts';
import { RunAccount } from './run-account.ts';
import type { RunOptions } from './run-options.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import type { ScopedEvent } from './scoped-event.ts';
import { type SegmentHost, type SegmentPlan, SegmentRun } from './segment-run.ts';
import { type Saying, segmentStart } from './segment-start.ts';
import { openSession } from './session-opening.ts';
import type { StepResult } from './step-result.ts';

/** What an agent may still spend when its budget is used up: a process needs a number above 0. */
const leastBudgetUsd = 0.000_001;

interface Failure {
  readonly facts: FailureFacts;
  readonly kind: FailureClass;
}

/** One `Runtime.run`: the attempts of one agent in one session, and the row that tells of them. */
export class AgentRun<Output> {
  readonly #parts: RuntimeParts;
  readonly #spec: AgentSpec;
  readonly #prompt: string;
  readonly #options: RunOptions<Output>;
  readonly #outputSchema: Record<string, unknown> | undefined;
  readonly #label: string;
  readonly #step: string;
  readonly #account: RunAccount;
  readonly #stopper = new AbortController();
  readonly #signal: AbortSignal;
  readonly #row: AttemptRow;
  #segment: SegmentRun | undefined;
  #recorded = false;

  /** @throws FlowerError `option-invalid` for a schema that JSON cannot describe. */
  constructor(parts: RuntimeParts, spec: AgentSpec, prompt: string, options: RunOptions<Output>) {
    this.#parts = parts;
    this.#spec = parts.model === undefined ? spec : { ...spec, model: parts.model };
    this.#prompt = prompt;
    this.#options = options;
    const signals = options.signal === undefined ? [] : [options.signal];
    this.#signal = AbortSignal.any([this.#stopper.signal, ...signals]);
    this.#outputSchema = options.schema === undefined ? undefined : jsonSchemaOf(options.schema);
    this.#label = options.stepName ?? spec.name;
    this.#step = this.#label.replace(/#(?:retry|round)\d+$/, '');
    this.#account = new RunAccount({
      run: parts.run,
      label: this.#label,
      startedAtMs: parts.clock.now().getTime(),
      versions: { flower: parts.flowerVersion, sdk: parts.engine.sdkVersion },
    });
    this.#row = new AttemptRow(parts, this.#account, options.onStart);
  }

  /** Runs to the end: an answer, a failure that waiting cannot cure, or a stop. */
  async run(): Promise<StepResult<Output>> {
    const unsubscribe = this.#parts.bus.subscribe((event) => this.#hearDisk(event));
    try {
      return await this.#run();
    } finally {
      unsubscribe();
    }
  }

  async #run(): Promise<StepResult<Output>> {
    const session = await openSession(this.#parts, this.#options);
    try {
      const { workspace } = this.#parts;
      const head = await gitHead(workspace);
      this.#account.noteHeads(head);
      await this.#attempts(session.sessionId, session.standing);
      this.#account.noteHeads(head, await gitHead(workspace));
      return this.#row.close() as StepResult<Output>;
    } catch (error) {
      this.#row.closeBroken(error);
      throw error;
    } finally {
      session.release();
    }
  }

  /** What the segments raise is noted by them; this is what the disk of the run raises. */
  #hearDisk(event: FlowerEvent): void {
    if (event.type === 'alarm' && event.code === 'write-failed') {
      this.#account.alarms.push(event.code);
    }
  }

  /** Ends the agent; the run returns as stopped, if it may still write. */
  stop(): void {
    this.#stopper.abort();
  }

  /** Writes the row of a run that is being killed. Synchronous; the run itself does not go on. */
  rescue(): void {
    if (!this.#row.isOpen) return;
    this.#account.fail('killed-by-signal', null);
    this.#segment?.abandon();
    this.#row.close();
  }

  async #attempts(sessionId: string, first: SessionStanding): Promise<void> {
    this.#row.session = { sessionId, firstSequence: first.nextSequence };
    if (first.exists && !first.isWhole) this.#tellIncomplete(sessionId);
    for (let standing = first; ; ) {
      this.#account.attempts += 1;
      this.#account.resumed ||= standing.exists;
      // An id that never gets a record is no session that anybody could continue.
      if (standing.exists) this.#account.sessionId = sessionId;
      const failure = await this.#attempt(sessionId, standing);
      if (failure === null) return;
      if (!(await this.#mayRetry(failure))) return;
      standing = await this.#parts.engine.inspect(sessionId);
    }
  }

  /** One attempt; `null` when it ended well or was stopped by the person. */
  async #attempt(sessionId: string, standing: SessionStanding): Promise<Failure | null> {
    const { start, prompt } = segmentStart(standing, this.#saying());
    this.#emit({
      type: 'attempt-start',
      attempt: this.#account.attempts,
      sessionId,
      resumed: start !== 'new',
    });
    this.#segment = new SegmentRun(this.#segmentHost());
    const plan = { sessionId, standing, start, prompt, ...this.#segmentLimits() };
    const { result, prose, stopped } = await this.#segment.run(plan);
    this.#addProse(start === 'turn' ? [standing.turnText, ...prose] : prose);
    if (stopped === 'person') {
      this.#account.fail('stopped', null);
      return null;
    }
    if (stopped === 'silent') return this.#silence();
    if (result.ok) return this.#accept(result);
    const facts = result.facts ?? {};
    return { facts, kind: classify(facts) };
  }

  /** What the next segment says: the prompt until it stands in the session, then "go on". */
  #saying(): Saying {
    const prompt = this.#prompt;
    if (this.#recorded) {
      const text = this.#parts.resilience.resumePrompt;
      return { prompt, text, continuing: true, rollback: false };
    }
    const rollback = this.#options.resumeAt !== undefined;
    return { prompt, text: prompt, continuing: this.#options.continuing ?? false, rollback };
  }

  #segmentLimits(): Pick<SegmentPlan, 'resumeAt' | 'outputSchema' | 'budgetUsd'> {
    const { resumeAt } = this.#options;
    const { maxBudgetUsd } = this.#spec;
    return {
      ...(resumeAt === undefined || this.#recorded ? {} : { resumeAt }),
      ...(this.#outputSchema === undefined ? {} : { outputSchema: this.#outputSchema }),
      ...(maxBudgetUsd === undefined
        ? {}
        : { budgetUsd: Math.max(maxBudgetUsd - this.#account.costUsd, leastBudgetUsd) }),
    };
  }

  #segmentHost(): SegmentHost {
    return {
      parts: this.#parts,
      spec: this.#spec,
      account: this.#account,
      signal: this.#signal,
      save: (segment) => this.#row.save(segment),
      onSpent: (usage) => this.#row.noteSpent(usage),
      onRecord: (sessionId) => this.#noteRecord(sessionId),
      emit: (event) => this.#emit(event),
      tell: (event) => this.#tell(event),
    };
  }

  #noteRecord(sessionId: string): void {
    if (this.#recorded) return;
    this.#recorded = true;
    this.#account.sessionId = sessionId;
    this.#options.onRecord?.(sessionId);
  }

  /** A failed attempt without prose keeps what was said before it. */
  #addProse(prose: readonly string[]): void {
    const text = prose.filter((part) => part !== '').join('\n');
    if (text !== '') this.#account.text = text;
  }

  /** Half a transcript is better than none, but nobody must take it for the whole. */
  #tellIncomplete(sessionId: string): void {
    this.#account.alarms.push('transcript-incomplete');
    const params = { session: sessionId };
    this.#tell({ type: 'alarm', code: 'transcript-incomplete', params });
  }

  #silence(): Failure {
    const { silentMs } = this.#parts;
    const params = { step: this.#step, silentMs };
    this.#tell({ type: 'notice', code: 'silent-stream', params });
    const message = `Response stalled: no sign of life for ${silentMs} ms`;
    return { facts: { message }, kind: 'transient' };
  }

  #accept(result: SegmentResult): Failure | null {
    const { schema } = this.#options;
    if (schema !== undefined) {
      const parsed = schema.safeParse(result.structuredOutput);
      if (!parsed.success) {
        const message = `The structured answer does not fit its schema: ${z.prettifyError(parsed.error)}`;
        return { facts: { message }, kind: 'fatal' };
      }
      this.#account.output = parsed.data;
    }
    this.#account.succeed();
    return null;
  }

  async #mayRetry({ facts, kind }: Failure): Promise<boolean> {
    this.#row.save(null);
    const { resilience } = this.#parts;
    const error = facts.message ?? 'The attempt failed without a message.';
    this.#account.errors.push(error);
    const reason = facts.terminalReason ?? facts.resultSubtype ?? null;
    this.#account.fail(error, kind, reason);
    const attempt = this.#account.attempts;
    const isLast = !resilience.enabled || attempt >= resilience.maxAttempts;
    if (isLast || !isWorthRetrying(kind, resilience)) return false;
    const outcome = await waitBeforeRetry(this.#parts, {
      facts,
      kind,
      attempt,
      signal: this.#signal,
      emit: (event) => this.#emit(event),
    });
    if (outcome === 'stopped') this.#account.fail('stopped', null);
    if (outcome === 'gave-up') this.#account.fail(`${error} (waiting did not help)`, kind);
    return outcome === 'go';
  }

  #emit(event: ScopedEvent): void {
    this.#tell({ ...event, step: this.#step, label: this.#label } as FlowerEventBody);
  }

  #tell(event: FlowerEventBody): void {
    this.#parts.bus.emit(event, this.#options.onEvent);
  }
}
