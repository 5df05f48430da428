import { describe, expect, it } from 'vitest';
import { type DemoCheck, demoChecks, judgeDemo } from './demo-checks.ts';
import { goodFacts } from './demo-facts.test-support.ts';
import type { DemoFacts } from './demo-facts.ts';

const { cut, wake, session, entries, gate, cost } = goodFacts;

const broken: readonly (readonly [string, DemoCheck, Partial<DemoFacts>])[] = [
  ['a process is left', 'orphans', { cut: { ...cut, left: [19_121] } }],
  ['nothing but flower ran at the kill', 'orphans', { cut: { ...cut, processes: 1 } }],
  ['the run counts as finished', 'status', { cut: { ...cut, outcome: 'finished' } }],
  ['step 1 does not count as passed', 'status', { cut: { ...cut, passed: [] } }],
  ['step 1 asked again', 'step-once', { readRequests: { before: 2, inAll: 4 } }],
  ['step 1 never asked', 'step-once', { readRequests: { before: 0, inAll: 0 } }],
  ['the session is another one', 'session', { session: { ...session, after: 'other' } }],
  [
    'the API saw a second session',
    'session',
    { session: { ...session, seenByApi: [session.before, 'other'] } },
  ],
  [
    'there is no session at all',
    'session',
    { session: { before: '', after: '', seenByApi: [''] } },
  ],
  ['an entry changed', 'entries', { entries: { ...entries, kept: 21 } }],
  ['nothing was added', 'entries', { entries: { before: 22, kept: 22, after: 22 } }],
  ['the cut call was hidden', 'cut-call', { cutCallResult: null }],
  ['the cut call seems to have worked', 'cut-call', { cutCallResult: 'delivered' }],
  ['it was delivered twice', 'delivery', { deliveries: 2 }],
  ['it was never delivered', 'delivery', { deliveries: 0 }],
  ['the gate had no objection', 'gate', { gate: { ...gate, objection: null } }],
  ['the second round is in another session', 'gate', { gate: { ...gate, sessions: ['a', 'b'] } }],
  ['there was a retry instead of a round', 'gate', { gate: { ...gate, rows: ['verify'] } }],
  ['the program is still wrong', 'gate', { gate: { ...gate, printed: '3' } }],
  ['the killed part is free', 'cost', { cost: { ...cost, killedUsd: 0 } }],
  ['tokens were counted twice', 'cost', { cost: { ...cost, manifestTokens: 90_000 } }],
  ['dollars were counted twice', 'cost', { cost: { ...cost, manifestUsd: 0.1621 } }],
  ['the price is not a number', 'cost', { cost: { ...cost, apiUsd: Number.NaN } }],
  ['the wake failed', 'woke', { wake: { ...wake, exitCode: 1 } }],
  ['the wake was killed', 'woke', { wake: { ...wake, exitCode: null } }],
  ['it was woken once only', 'woke', { wake: { ...wake, woke: 1 } }],
];

describe('judgeDemo', () => {
  it('lets every claim hold when the facts are good', () => {
    expect(Object.values(judgeDemo(goodFacts))).toEqual(demoChecks.map(() => true));
  });

  it.each(broken)('%s: only "%s" does not hold', (_fact, check, change) => {
    const checks = judgeDemo({ ...goodFacts, ...change });
    expect(demoChecks.filter((name) => !checks[name])).toEqual([check]);
  });
});
