import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import type {
  ConversationEvent,
  SegmentMessage,
  SegmentRequest,
  SegmentResult,
  SessionStanding,
} from '../claude/engine.ts';
import type { FlowerEventBody } from '../events/event.ts';
import type { SegmentRecord } from '../ledger/attempt-rows.ts';
import { classify, isWorthRetrying } from '../resilience/classify.ts';
import type { FailureClass, FailureFacts } from '../resilience/failure-facts.ts';
import { waitBeforeRetry } from './retry-wait.ts';
import { manifestRowOf, RunAccount } from './run-account.ts';
import type { RunOptions } from './run-options.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { type Saying, segmentStart } from './segment-start.ts';
import { openSession } from './session-opening.ts';
import type { StepResult } from './step-result.ts';
import { Watchdog } from './watchdog.ts';

/** Why a segment was stopped from outside. */
type StopReason = 'person' | 'silent';

/** One `Runtime.run`: the attempts of one agent in one session, and the row that tells of them. */
export class AgentRun<Output> {
  readonly #parts: RuntimeParts;
  readonly #spec: AgentSpec;
  readonly #prompt: string;
  readonly #options: RunOptions<Output>;
  readonly #label: string;
  readonly #step: string;
  readonly #account: RunAccount;
  #rowId = 0;
  #recorded = false;
  #servedModel = '';

  constructor(parts: RuntimeParts, spec: AgentSpec, prompt: string, options: RunOptions<Output>) {
    this.#parts = parts;
    this.#spec = parts.model === undefined ? spec : { ...spec, model: parts.model };
    this.#prompt = prompt;
    this.#options = options;
    this.#label = options.stepName ?? spec.name;
    this.#step = this.#label.replace(/#(?:retry|round)\d+$/, '');
    this.#account = new RunAccount({
      run: parts.run,
      label: this.#label,
      startedAtMs: parts.clock.now().getTime(),
      versions: { flower: parts.flowerVersion, sdk: parts.engine.sdkVersion },
    });
  }

  /** Runs to the end: an answer, a failure that waiting cannot cure, or a stop. */
  async run(): Promise<StepResult<Output>> {
    const session = await openSession(this.#parts, this.#options);
    try {
      this.#rowId = this.#parts.rows.open(this.#row(), this.#parts.host);
      await this.#attempts(session.sessionId, session.standing);
      return this.#close() as StepResult<Output>;
    } finally {
      session.release();
    }
  }

  /** Writes the row of a run that is being killed. Synchronous; the run itself does not go on. */
  rescue(): void {
    if (this.#rowId === 0) return;
    this.#account.fail('killed-by-signal', null);
    this.#close();
  }

  async #attempts(sessionId: string, first: SessionStanding): Promise<void> {
    this.#options.onStart?.({ sessionId, firstSequence: first.nextSequence });
    for (let standing = first; ; ) {
      this.#account.attempts += 1;
      this.#account.resumed ||= standing.exists;
      this.#account.sessionId = sessionId;
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
    const segment = await this.#segment({ sessionId, standing, start, prompt });
    this.#addProse(start === 'turn' ? [standing.turnText, ...segment.prose] : segment.prose);
    if (segment.stopped === 'person') {
      this.#account.fail('stopped', null);
      return null;
    }
    if (segment.result.ok && segment.stopped === undefined) return this.#accept(segment.result);
    const facts: FailureFacts =
      segment.stopped === 'silent'
        ? { message: `Response stalled: no sign of life for ${this.#parts.silentMs} ms` }
        : (segment.result.facts ?? {});
    return { facts, kind: segment.stopped === 'silent' ? 'transient' : classify(facts) };
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

  async #segment(plan: {
    readonly sessionId: string;
    readonly standing: SessionStanding;
    readonly start: SegmentRequest['start'];
    readonly prompt: string;
  }): Promise<{ result: SegmentResult; prose: string[]; stopped: StopReason | undefined }> {
    const record = await this.#openSegment(plan.sessionId, plan.standing.nextSequence);
    const stop = new AbortController();
    let stopped: StopReason | undefined;
    const end = (reason: StopReason): void => {
      stopped ??= reason;
      stop.abort();
    };
    const onAbort = (): void => end('person');
    this.#options.signal?.addEventListener('abort', onAbort, { once: true });
    if (this.#options.signal?.aborted === true) end('person');
    const watchdog = new Watchdog(this.#parts.silentMs, () => end('silent'));
    const prose: string[] = [];
    try {
      const messages = this.#parts.engine.run(this.#request(plan, record, stop.signal));
      for await (const message of messages) {
        watchdog.see(message);
        if (message.kind === 'result') {
          this.#closeSegment(message);
          return { result: message, prose, stopped };
        }
        this.#hear(message, prose);
      }
      throw new Error('The engine ended without a result.');
    } finally {
      watchdog.stop();
      this.#options.signal?.removeEventListener('abort', onAbort);
    }
  }

  #request(
    plan: { sessionId: string; start: SegmentRequest['start']; prompt: string },
    record: SegmentRecord,
    signal: AbortSignal,
  ): SegmentRequest {
    const { schema, resumeAt } = this.#options;
    const { maxBudgetUsd } = this.#spec;
    return {
      spec: this.#spec,
      sessionId: plan.sessionId,
      start: plan.start,
      prompt: plan.prompt,
      mark: record.mark,
      signal,
      ...(resumeAt !== undefined && !this.#recorded ? { resumeAt } : {}),
      ...(schema === undefined ? {} : { outputSchema: z.toJSONSchema(schema) }),
      ...(maxBudgetUsd === undefined
        ? {}
        : { budgetUsd: Math.max(maxBudgetUsd - this.#account.costUsd, 0.000_001) }),
      onProcess: (pid, start) =>
        this.#parts.rows.update(this.#rowId, this.#row(), { ...record, pid, pidStart: start }),
      onRecord: () => {
        if (this.#recorded) return;
        this.#recorded = true;
        this.#options.onRecord?.(plan.sessionId);
      },
    };
  }

  async #openSegment(sessionId: string, firstSequence: number): Promise<SegmentRecord> {
    const { store, projectKey } = this.#parts;
    const key = { projectKey, sessionId };
    const subagents: Record<string, number> = {};
    for (const subpath of await store.listSubkeys(key)) {
      subagents[subpath] = await store.nextSequence({ ...key, subpath });
    }
    const record: SegmentRecord = {
      ...key,
      firstSequence,
      subagents,
      mark: randomUUID(),
      pid: null,
      pidStart: null,
    };
    this.#parts.rows.update(this.#rowId, this.#row(), record);
    return record;
  }

  #closeSegment(result: SegmentResult): void {
    const { database, usage, rows } = this.#parts;
    database.immediate(() => {
      usage.record(result.modelUsage);
      const price =
        result.costUsd === null
          ? usage.price(result.tokens)
          : { costUsd: result.costUsd, unpricedTokens: 0 };
      this.#account.addSegment(result, price);
      rows.update(this.#rowId, this.#row(), null);
    });
  }

  #hear(message: Exclude<SegmentMessage, SegmentResult>, prose: string[]): void {
    switch (message.kind) {
      case 'event':
        this.#hearEvent(message.event, prose);
        break;
      case 'signal':
        if (message.signal.type === 'alarm') this.#account.alarms.push(message.signal.code);
        this.#tell(message.signal);
        break;
      case 'init':
        this.#account.binary = message.binaryVersion;
        this.#account.model = message.model;
        break;
      case 'api-retry':
        this.#account.apiRetries += 1;
        this.#notice('api-retry', { status: message.status ?? 0, delayMs: message.delayMs });
        break;
      case 'activity':
        break;
    }
  }

  #hearEvent(event: ConversationEvent, prose: string[]): void {
    if (!('subagent' in event) || event.subagent === undefined) {
      if (event.type === 'text') prose.push(event.text);
      if (event.type === 'usage') this.#hearUsage(event.context, event.model);
    }
    this.#emit(event);
  }

  #hearUsage(context: number, model: string): void {
    this.#account.context = Math.max(this.#account.context, context);
    if (this.#servedModel !== '') return;
    this.#servedModel = model;
    const wanted = this.#account.model;
    if (wanted !== '' && !isSameModel(wanted, model)) {
      this.#notice('model-differs', { wanted, served: model });
    }
  }

  /** A failed attempt without prose keeps what was said before it. */
  #addProse(prose: readonly string[]): void {
    const text = prose.filter((part) => part !== '').join('\n');
    if (text !== '') this.#account.text = text;
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
    const { resilience } = this.#parts;
    const error = facts.message ?? 'The attempt failed without a message.';
    this.#account.errors.push(error);
    this.#account.fail(error, kind);
    const attempt = this.#account.attempts;
    const isLast = !resilience.enabled || attempt >= resilience.maxAttempts;
    if (isLast || !isWorthRetrying(kind, resilience)) return false;
    const outcome = await waitBeforeRetry(this.#parts, {
      facts,
      kind,
      attempt,
      signal: this.#options.signal,
      emit: (event) => this.#emit(event),
    });
    if (outcome === 'stopped') this.#account.fail('stopped', null);
    if (outcome === 'gave-up') this.#account.fail(`${error} (waiting did not help)`, kind);
    return outcome === 'go';
  }

  #close(): StepResult {
    const result = this.#account.result(this.#parts.clock.now().getTime());
    this.#parts.rows.close(this.#rowId, manifestRowOf(result, this.#parts.run));
    this.#parts.manifest.update();
    this.#rowId = 0;
    return result;
  }

  #row(): ReturnType<typeof manifestRowOf> {
    return manifestRowOf(this.#account.result(this.#parts.clock.now().getTime()), this.#parts.run);
  }

  #emit(event: ScopedEvent): void {
    this.#tell({ ...event, step: this.#step, label: this.#label } as FlowerEventBody);
  }

  #notice(
    code: Extract<FlowerEventBody, { type: 'notice' }>['code'],
    params: Record<string, string | number>,
  ): void {
    this.#tell({ type: 'notice', code, params });
  }

  #tell(event: FlowerEventBody): void {
    this.#parts.bus.emit(event, this.#options.onEvent);
  }
}

interface Failure {
  readonly facts: FailureFacts;
  readonly kind: FailureClass;
}

type WithoutScope<Event> = Event extends unknown ? Omit<Event, 'step' | 'label'> : never;

/** An event of this run before it is told which step and row it belongs to. */
export type ScopedEvent = WithoutScope<Extract<FlowerEventBody, { label: string }>>;

/** Names of one model differ by date and window marks. */
function isSameModel(wanted: string, served: string): boolean {
  const base = (name: string): string => name.toLowerCase().replace(/\[.*\]$|-\d{8}$/g, '');
  return base(wanted).includes(base(served)) || base(served).includes(base(wanted));
}
