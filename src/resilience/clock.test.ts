import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { ManualClock } from './manual-clock.test-support.ts';
import { sleepUntil } from './sleep-until.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('systemClock', () => {
  it('sleeps longer than a timer can', async () => {
    vi.useFakeTimers();
    let isAwake = false;
    const longMs = 2 ** 31 + 1000;
    const sleeping = systemClock.sleep(longMs).then(() => {
      isAwake = true;
    });
    await vi.advanceTimersByTimeAsync(longMs - 1);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(isAwake).toBe(true);
  });

  it('rejects with the reason of an abort, before and during the sleep', async () => {
    const reason = new Error('enough');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stop = new AbortController();
    const sleeping = systemClock.sleep(60_000, stop.signal);
    stop.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  it('never goes back', () => {
    const earlier = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(earlier);
  });
});

describe('sleepUntil', () => {
  it('resolves at once for a moment that has passed', async () => {
    const clock = new ManualClock({ autoAdvance: true });
    await sleepUntil(clock.now(), clock);
    expect(clock.sleptMs).toEqual([]);
  });

  it('ends at the moment', async () => {
    const clock = new ManualClock({ autoAdvance: true });
    const until = new Date(clock.now().getTime() + 70_000);
    await sleepUntil(until, clock);
    expect(clock.now()).toEqual(until);
    expect(clock.sleptMs).toEqual([30_000, 30_000, 10_000]);
  });

  it('notices that the machine slept', async () => {
    const clock = new ManualClock();
    const waiting = sleepUntil(new Date(clock.now().getTime() + 3_600_000), clock);
    expect(clock.sleeping).toBe(1);
    clock.advance(3_600_000);
    await waiting;
    expect(clock.sleptMs).toEqual([30_000]);
  });
});
