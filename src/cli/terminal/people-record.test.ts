import { describe, expect, it } from 'vitest';
import { en } from '../locales/en.ts';
import { type PeopleEvent, peopleRecord } from './people-record.ts';
import { testEvent, testScope } from './test-events.test-support.ts';

function shown(event: Parameters<typeof testEvent>[0]): readonly string[] {
  return peopleRecord(testEvent(event) as PeopleEvent, en).map(({ mark, text }) => mark + text);
}

describe('peopleRecord', () => {
  it('shows a question with numbered options and how to answer', () => {
    const question = { question: 'One file or several?', options: ['one', 'several'] };
    const limits = { remainingMs: 60_000, remainingAsks: null };
    const event = { ...testScope, type: 'question-ask', id: 'q1', ...question, ...limits } as const;
    expect(shown(event)).toEqual([
      '? q1 One file or several?',
      '  1) one',
      '  2) several',
      '  answer here, or elsewhere: flower answer q1 "..." (within 1m)',
    ]);
  });

  it('lists the unmet items of a verdict and says what is suspicious about it', () => {
    const event = {
      ...testScope,
      type: 'verdict',
      round: 2,
      rounds: 3,
      state: 'not_yet',
      reason: 'one test fails',
      items: [
        { item: 'a page is written', met: true, evidence: 'out.html:1' },
        { item: 'the tests pass', met: false, evidence: 'npm test: exit 1' },
        { item: 'code is highlighted', met: false, evidence: '' },
      ],
      sameGaps: true,
      weakened: ['a.test.js'],
      path: '',
    } as const;
    expect(shown(event)).toEqual([
      '# verdict 2 of 3: not yet: one test fails',
      '  x the tests pass',
      '  x code is highlighted (no evidence)',
      '!! the same gaps as in the round before',
      '!! tests were weakened since the round began: a.test.js',
    ]);
  });

  it('tells how the command of a check ended', () => {
    const check = {
      ...testScope,
      type: 'check-run',
      round: 1,
      index: 1,
      command: 'npm test',
    } as const;
    expect(shown({ ...check, exitCode: 1, timedOut: false, durationMs: 2_000 })).toEqual([
      '$ npm test  exit 1 (2s)',
    ]);
    expect(shown({ ...check, exitCode: null, timedOut: true, durationMs: 60_000 })).toEqual([
      '$ npm test  no end within 1m',
    ]);
  });
});
