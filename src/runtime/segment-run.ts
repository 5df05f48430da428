import { randomUUID } from 'node:crypto';
import type { AgentSpec } from '../claude/agent-spec.ts';
import type {
  ConversationEvent,
  EngineSignal,
  SegmentMessage,
  SegmentRequest,
  SegmentResult,
  SegmentStart,
  SessionStanding,
} from '../claude/engine.ts';
import type { FlowerEventBody, TokenCounts } from '../events/event.ts';
import { addTokens, zeroTokens } from '../events/token-counts.ts';
import type { SegmentRecord } from '../ledger/attempt-rows.ts';
import type { RunAccount } from './run-account.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import type { ScopedEvent } from './scoped-event.ts';
import { Watchdog } from './watchdog.ts';

/** Why a segment was stopped from outside. */
export type StopReason = 'person' | 'silent';

/** What one segment is to do. */
export interface SegmentPlan {
  readonly sessionId: string;
  readonly standing: SessionStanding;
  readonly start: SegmentStart;
  readonly prompt: string;
  readonly resumeAt?: string;
  readonly outputSchema?: Record<string, unknown>;
  readonly budgetUsd?: number;
}

/** How a segment ended. */
export interface SegmentOutcome {
  readonly result: SegmentResult;
  /** What the main thread said. */
  readonly prose: readonly string[];
  /** Set when it was stopped from outside. */
  readonly stopped: StopReason | undefined;
}

/** What the run of an agent gives to each of its segments. */
export interface SegmentHost {
  readonly parts: RuntimeParts;
  readonly spec: AgentSpec;
  readonly account: RunAccount;
  readonly signal: AbortSignal | undefined;
  /** Puts the row as it stands on disk, with the segment it waits for. */
  save(segment: SegmentRecord | null): void;
  /** The segment has ended and is accounted for; the next save or the closing puts that on disk. */
  onSpent(usage: SegmentResult['modelUsage']): void;
  /** The first row of the segment is on disk. */
  onRecord(sessionId: string): void;
  emit(event: ScopedEvent): void;
  tell(event: FlowerEventBody): void;
}

/** One process of an agent, from its record on disk to its account. */
export class SegmentRun {
  readonly #host: SegmentHost;
  readonly #prose: string[] = [];
  readonly #spent = new Map<string, TokenCounts>();
  readonly #stop = new AbortController();
  #stopped: StopReason | undefined;
  #isAccounted = false;
  readonly #told = new Set<string>();

  constructor(host: SegmentHost) {
    this.#host = host;
  }

  /** Runs the process to its end; what it spent is in the account when it resolves. */
  async run(plan: SegmentPlan): Promise<SegmentOutcome> {
    const { parts, signal } = this.#host;
    const record = await this.#open(plan);
    const onAbort = (): void => this.#end('person');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const watchdog = new Watchdog(parts.silentMs, () => this.#end('silent'));
    try {
      for await (const message of parts.engine.run(this.#request(plan, record))) {
        watchdog.see(message);
        if (message.kind === 'result') {
          this.#account(message);
          return { result: message, prose: this.#prose, stopped: this.#stopped };
        }
        this.#hear(message);
      }
      throw new Error('The engine ended without a result.');
    } finally {
      watchdog.stop();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Accounts for a segment that will not say its spend because this process is being killed.
   * Synchronous; does nothing once the segment is accounted for.
   */
  abandon(): void {
    this.#account({
      kind: 'result',
      ok: false,
      costUsd: null,
      numTurns: 0,
      modelUsage: {},
      tokens: Object.fromEntries(this.#spent),
    });
  }

  #end(reason: StopReason): void {
    this.#stopped ??= reason;
    this.#stop.abort();
  }

  /** On disk before the process starts: what a later process needs to finish this row. */
  async #open({ sessionId, standing }: SegmentPlan): Promise<SegmentRecord> {
    const { store, projectKey } = this.#host.parts;
    const key = { projectKey, sessionId };
    const subagents: Record<string, number> = {};
    for (const subpath of await store.listSubkeys(key)) {
      subagents[subpath] = await store.nextSequence({ ...key, subpath });
    }
    const record: SegmentRecord = {
      ...key,
      firstSequence: standing.nextSequence,
      subagents,
      mark: randomUUID(),
      pid: null,
      pidStart: null,
    };
    this.#host.save(record);
    return record;
  }

  #request(plan: SegmentPlan, record: SegmentRecord): SegmentRequest {
    const { standing: _, ...said } = plan;
    return {
      ...said,
      spec: this.#host.spec,
      mark: record.mark,
      signal: this.#stop.signal,
      onProcess: (pid, start) => this.#host.save({ ...record, pid, pidStart: start }),
      onRecord: () => this.#host.onRecord(plan.sessionId),
    };
  }

  #account(result: SegmentResult): void {
    if (this.#isAccounted) return;
    this.#isAccounted = true;
    const { parts, account } = this.#host;
    const price =
      result.costUsd === null
        ? parts.usage.price(result.tokens)
        : { costUsd: result.costUsd, unpricedTokens: 0 };
    account.addSegment(result, price);
    this.#host.onSpent(result.modelUsage);
  }

  #hear(message: Exclude<SegmentMessage, SegmentResult>): void {
    const { account } = this.#host;
    switch (message.kind) {
      case 'event':
        this.#hearEvent(message.event);
        break;
      case 'signal':
        if (this.#isRepeated(message.signal)) break;
        if (message.signal.type === 'alarm') account.alarms.push(message.signal.code);
        this.#host.tell(message.signal);
        break;
      case 'init':
        account.binary = message.binaryVersion;
        account.model = message.model;
        break;
      case 'api-retry':
        account.apiRetries += 1;
        this.#notice('api-retry', { status: message.status ?? 0, delayMs: message.delayMs });
        break;
      case 'activity':
        break;
    }
  }

  /** A full disk refuses row after row; it is told once. */
  #isRepeated(signal: EngineSignal): boolean {
    const text = JSON.stringify(signal);
    if (signal.type === 'alarm' && this.#told.has(text)) return true;
    this.#told.add(text);
    return false;
  }

  #hearEvent(event: ConversationEvent): void {
    const isMain = !('subagent' in event) || event.subagent === undefined;
    if (event.type === 'text' && isMain) this.#prose.push(event.text);
    if (event.type === 'usage') {
      this.#spent.set(
        event.model,
        addTokens(this.#spent.get(event.model) ?? zeroTokens, event.tokens),
      );
      if (isMain) this.#hearUsage(event.context, event.model);
    }
    this.#host.emit(event);
  }

  #hearUsage(context: number, model: string): void {
    const { account } = this.#host;
    account.context = Math.max(account.context, context);
    if (account.servedModel !== '') return;
    account.servedModel = model;
    const wanted = account.model;
    if (wanted !== '' && !isSameModel(wanted, model)) {
      this.#notice('model-differs', { wanted, served: model });
    }
  }

  #notice(
    code: Extract<FlowerEventBody, { type: 'notice' }>['code'],
    params: Record<string, string | number>,
  ): void {
    this.#host.tell({ type: 'notice', code, params });
  }
}

/** Names of one model differ by date and window marks. */
function isSameModel(wanted: string, served: string): boolean {
  const base = (name: string): string =>
    name
      .toLowerCase()
      .replace(/\[.*\]$/, '')
      .replace(/-\d{8}$/, '');
  return base(wanted).includes(base(served)) || base(served).includes(base(wanted));
}
