import { describe, expect, it } from 'vitest';
import type { ContinuedSession, FlowerEvent } from '../../events/event.ts';
import { en } from '../locales/en.ts';
import { wakeLines } from './wake-lines.ts';

const session: ContinuedSession = {
  step: 'work',
  sessionId: 'id-1',
  context: 80_200,
  lastAt: '2026-11-30T11:18:00.000Z',
  cache: 'cold',
};

function textsOf(continues: readonly ContinuedSession[]): string[] {
  const event: Extract<FlowerEvent, { type: 'run-start' }> = {
    v: 1,
    at: '2026-11-30T12:00:00.000Z',
    run: 'r',
    type: 'run-start',
    flow: 'main',
    woke: 3,
    resumed: true,
    continues,
    steps: ['work'],
    workspace: '/w',
    runDir: '/r',
  };
  return wakeLines(event, en).map((line) => line.text);
}

describe('wakeLines', () => {
  it('tells size, cache and age of the session that goes on', () => {
    expect(textsOf([session])).toEqual([
      '"work" goes on: context 80.2K · prompt cache cold · last record 42m ago',
    ]);
  });

  it.each<[string, Partial<ContinuedSession>, string]>([
    ['the context', { context: 0 }, 'prompt cache cold · last record 42m ago'],
    ['the cache', { cache: 'unknown' }, 'context 80.2K · last record 42m ago'],
    ['the age', { lastAt: null }, 'context 80.2K · prompt cache cold'],
    [
      'an age before now',
      { lastAt: '2026-11-30T12:00:01.000Z' },
      'context 80.2K · prompt cache cold',
    ],
    ['everything', { context: 0, cache: 'unknown', lastAt: null }, 'id-1'],
  ])('leaves out %s when it is not known', (_what, part, text) => {
    expect(textsOf([{ ...session, ...part }])).toEqual([`"work" goes on: ${text}`]);
  });

  it('shows the three biggest and counts the rest', () => {
    const steps = [1, 5, 3, 2, 4].map((size) => ({
      ...session,
      step: `s${size}`,
      context: size * 1000,
    }));
    const lines = textsOf(steps);
    expect(lines.map((line) => /^"(\w+)"/.exec(line)?.[1])).toEqual(['s5', 's4', 's3', undefined]);
    expect(lines.at(-1)).toBe('and 2 more sessions');
  });

  it('says nothing of a run that continues nothing', () => {
    expect(textsOf([])).toEqual([]);
  });
});
