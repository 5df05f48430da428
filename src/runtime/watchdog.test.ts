import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Watchdog } from './watchdog.ts';

let silences: number;
let watchdog: Watchdog;

beforeEach(() => {
  vi.useFakeTimers();
  silences = 0;
  watchdog = new Watchdog(1_000, () => {
    silences += 1;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const alive = { kind: 'activity', quiet: true } as const;
const busy = { kind: 'activity', quiet: false } as const;
const text = { kind: 'event', event: { type: 'text', text: 'x' } } as const;

describe('Watchdog', () => {
  it('fires once after the silence', () => {
    vi.advanceTimersByTime(999);
    expect(silences).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(silences).toBe(1);
  });

  it.each([[alive], [text]])('any message starts the time again', (message) => {
    vi.advanceTimersByTime(900);
    watchdog.see(message);
    vi.advanceTimersByTime(900);
    expect(silences).toBe(0);
    vi.advanceTimersByTime(100);
    expect(silences).toBe(1);
  });

  it('does not fire while a tool runs, however long', () => {
    watchdog.see(busy);
    vi.advanceTimersByTime(86_400_000);
    watchdog.see(text);
    vi.advanceTimersByTime(86_400_000);
    expect(silences).toBe(0);
    watchdog.see(alive);
    vi.advanceTimersByTime(1_000);
    expect(silences).toBe(1);
  });

  it('does not fire after the end', () => {
    watchdog.stop();
    vi.advanceTimersByTime(10_000);
    expect(silences).toBe(0);
  });
});
