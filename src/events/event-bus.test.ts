import { describe, expect, it } from 'vitest';
import type { FlowerEvent, FlowerEventBody } from './event.ts';
import { EventBus, type EventBusOptions } from './event-bus.ts';

const body: FlowerEventBody = {
  type: 'notice',
  code: 'killed-segment',
  params: { step: 'secret work' },
};

function bus(options: Partial<EventBusOptions> = {}): EventBus {
  return new EventBus({ run: 'run-1', now: () => new Date(0), ...options });
}

describe('EventBus', () => {
  it('puts every event into an envelope and keeps the order', () => {
    const seen: FlowerEvent[] = [];
    const events = bus();
    events.subscribe((event) => seen.push(event));
    events.emit(body);
    events.emit({ ...body, code: 'rows-recovered' });
    expect(seen[0]).toEqual({ v: 1, at: '1970-01-01T00:00:00.000Z', run: 'run-1', ...body });
    expect(seen.map((event) => 'code' in event && event.code)).toEqual([
      'killed-segment',
      'rows-recovered',
    ]);
  });

  it('delivers once to a consumer that is subscribed and named', () => {
    let calls = 0;
    const consumer = (): void => {
      calls += 1;
    };
    const events = bus();
    const unsubscribe = events.subscribe(consumer);
    events.emit(body, consumer);
    expect(calls).toBe(1);
    unsubscribe();
    events.emit(body);
    expect(calls).toBe(1);
    events.emit(body, consumer);
    expect(calls).toBe(2);
  });

  it('redacts before anyone sees the event', () => {
    const seen: string[] = [];
    const redact = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll('secret', '***'));
    const events = bus({ redact });
    events.subscribe((event) => seen.push(JSON.stringify(event)));
    events.emit(body);
    expect(seen[0]).toContain('*** work');
  });

  it('tells the first exception of a consumer to the others and goes on', () => {
    const seen: FlowerEvent[] = [];
    let calls = 0;
    const events = bus();
    events.subscribe(() => {
      calls += 1;
      throw new Error('view broke');
    });
    events.subscribe((event) => seen.push(event));
    events.emit(body);
    events.emit(body);
    const alarms = seen.filter(({ type }) => type === 'alarm');
    expect(alarms).toMatchObject([{ code: 'consumer-failed', params: { detail: 'view broke' } }]);
    expect(seen).toHaveLength(3);
    expect(calls).toBe(3);
  });

  it('survives consumers that all throw, also at the alarm', () => {
    const events = bus();
    for (let count = 0; count < 5; count += 1) {
      events.subscribe(() => {
        throw new Error(`view ${count}`);
      });
    }
    expect(() => events.emit(body)).not.toThrow();
  });

  it('a promise that rejects is told like an exception', async () => {
    const seen: FlowerEvent[] = [];
    const events = bus();
    const [rejecting]: [() => void] = [async () => await Promise.reject(new Error('broken later'))];
    events.subscribe(rejecting);
    events.subscribe((event) => seen.push(event));
    events.emit(body);
    await Promise.resolve();
    await Promise.resolve();
    expect(seen.at(-1)).toMatchObject({ code: 'consumer-failed' });
  });
});
