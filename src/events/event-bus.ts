import { callSafely } from './call-safely.ts';
import type { EventConsumer, FlowerEvent, FlowerEventBody } from './event.ts';

/** How an {@link EventBus} is made. */
export interface EventBusOptions {
  /** Process mark that every event carries. */
  readonly run: string;
  readonly now: () => Date;
  /** Applied to every event before anyone sees it. @defaultValue nothing is changed */
  readonly redact?: <Value>(value: Value) => Value;
}

/**
 * Delivers events to every consumer, in order, at once.
 *
 * A consumer that throws, or whose promise rejects, never breaks a run: it stays subscribed, and its
 * first exception is told to the others as the alarm `consumer-failed`. Promises are not awaited.
 */
export class EventBus {
  readonly #options: EventBusOptions;
  readonly #consumers = new Set<EventConsumer>();
  readonly #failed = new WeakSet<EventConsumer>();

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  /** Adds a consumer; call the returned function to take it away. */
  subscribe(consumer: EventConsumer): () => void {
    this.#consumers.add(consumer);
    return () => {
      this.#consumers.delete(consumer);
    };
  }

  /**
   * Sends one event to all consumers, and to `also` when that is not one of them. Never throws.
   */
  emit(body: FlowerEventBody, also?: EventConsumer): void {
    const { run, now, redact } = this.#options;
    const event: FlowerEvent = { v: 1, at: now().toISOString(), run, ...body };
    const shown = redact === undefined ? event : redact(event);
    const consumers = also === undefined ? this.#consumers : new Set([...this.#consumers, also]);
    for (const consumer of consumers) this.#deliver(consumer, shown);
  }

  #deliver(consumer: EventConsumer, event: FlowerEvent): void {
    callSafely(
      () => consumer(event),
      (error) => this.#fail(consumer, error),
    );
  }

  #fail(consumer: EventConsumer, error: unknown): void {
    if (this.#failed.has(consumer)) return;
    this.#failed.add(consumer);
    const detail = error instanceof Error ? error.message : String(error);
    this.emit({ type: 'alarm', code: 'consumer-failed', params: { detail } });
  }
}
