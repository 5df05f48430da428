import type { FlowerEvent, WaitReason } from '../../events/event.ts';

/** What goes on at this moment. */
export type Activity =
  | { readonly kind: 'starting' | 'thinking' | 'writing' | 'retrying' | 'finishing' }
  | { readonly kind: 'tool'; readonly text: string }
  | { readonly kind: 'waiting'; readonly reason: WaitReason; readonly until?: string };

/** The figures of the live line, kept up to date from events. */
export class Progress {
  step = '';
  /** From 1; `0` while no step of a workflow runs. */
  index = 0;
  total = 0;
  context = 0;
  costUsd = 0;
  startedAtMs: number | undefined;
  activity: Activity = { kind: 'starting' };
  activitySinceMs = 0;
  /** Calls without a result, in order; the last one is what the agent does. */
  readonly #pending = new Map<string, string>();

  /** Takes in one event. `nowMs` is the local clock: events may be replayed or late. */
  apply(event: FlowerEvent, nowMs: number): void {
    this.startedAtMs ??= nowMs;
    if ('step' in event) this.step = event.step;
    switch (event.type) {
      case 'step-start':
        this.#enterStep(event.index, event.total, nowMs);
        break;
      case 'step-end':
        this.costUsd += event.costUsd;
        this.#become({ kind: 'finishing' }, nowMs);
        break;
      case 'run-end':
        this.costUsd = event.costUsd;
        this.#become({ kind: 'finishing' }, nowMs);
        break;
      case 'attempt-start':
        this.#pending.clear();
        this.#become({ kind: 'starting' }, nowMs);
        break;
      case 'attempt-retry':
        this.#become({ kind: 'retrying' }, nowMs);
        break;
      case 'prompt':
      case 'thinking':
        this.#becomeIfIdle({ kind: 'thinking' }, nowMs);
        break;
      case 'text':
        this.#becomeIfIdle({ kind: 'writing' }, nowMs);
        break;
      case 'tool-call':
        this.#pending.set(event.id, callText(event));
        this.#showPending(nowMs);
        break;
      case 'tool-result':
        this.#pending.delete(event.id);
        this.#showPending(nowMs);
        break;
      case 'usage':
        if (event.subagent === undefined) this.context = event.context;
        break;
      case 'wait-start': {
        const until = event.until === undefined ? {} : { until: event.until };
        this.#become({ kind: 'waiting', reason: event.reason, ...until }, nowMs);
        break;
      }
      case 'wait-end':
        this.#become({ kind: 'starting' }, nowMs);
        break;
      default:
        break;
    }
  }

  #enterStep(index: number, total: number, nowMs: number): void {
    this.index = index;
    this.total = total;
    this.context = 0;
    this.#pending.clear();
    this.#become({ kind: 'starting' }, nowMs);
  }

  #become(activity: Activity, nowMs: number): void {
    const isSame = JSON.stringify(activity) === JSON.stringify(this.activity);
    this.activity = activity;
    if (!isSame || this.activitySinceMs === 0) this.activitySinceMs = nowMs;
  }

  /** A running tool stays on display while a subagent of it talks. */
  #becomeIfIdle(activity: Activity, nowMs: number): void {
    if (this.#pending.size === 0) this.#become(activity, nowMs);
  }

  #showPending(nowMs: number): void {
    const last = [...this.#pending.values()].at(-1);
    this.#become(last === undefined ? { kind: 'thinking' } : { kind: 'tool', text: last }, nowMs);
  }
}

function callText(event: Extract<FlowerEvent, { type: 'tool-call' }>): string {
  const who = event.subagent?.type === undefined ? '' : `${event.subagent.type}: `;
  return `${who}${event.tool} ${event.summary}`.replace(/\s+/g, ' ').trim();
}
