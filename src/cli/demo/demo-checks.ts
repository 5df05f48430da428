import type { DemoFacts } from './demo-facts.ts';

/** Names of what the demo claims, in the order in which it is told. */
export const demoChecks = [
  'orphans',
  'status',
  'step-once',
  'session',
  'entries',
  'cut-call',
  'delivery',
  'gate',
  'cost',
  'woke',
] as const;

/** One of {@link demoChecks}. */
export type DemoCheck = (typeof demoChecks)[number];

/**
 * USD sums count as equal within this part of them: the rows of the manifest, from which the rate is
 * taken too, are rounded. The smallest thing that could be counted twice is 20 times as much.
 */
const roundingShare = 0.005;

/** Which claims the facts bear out. */
export function judgeDemo(facts: DemoFacts): Readonly<Record<DemoCheck, boolean>> {
  const { cut, wake, readRequests, session, entries, gate, cost } = facts;
  return {
    // The run, Claude Code, the command, the server: fewer would mean that nothing was really cut.
    orphans: cut.processes >= 4 && cut.left.length === 0,
    status:
      cut.outcome === 'unfinished' &&
      isList(cut.passed, ['read']) &&
      isList(cut.unfinished, ['make']),
    'step-once': readRequests.before > 0 && readRequests.inAll === readRequests.before,
    session:
      session.before !== '' &&
      session.after === session.before &&
      isList(session.seenByApi, [session.before]),
    entries: entries.before > 0 && entries.kept === entries.before && entries.after > entries.kept,
    'cut-call': /unknown|interrupted/i.test(facts.cutCallResult ?? ''),
    delivery: facts.deliveries === 1,
    gate:
      gate.objection !== null &&
      isList(gate.rows, ['verify', 'verify#round2']) &&
      gate.sessions.length === 1 &&
      gate.printed === String(gate.words),
    cost:
      cost.killedUsd > 0 &&
      cost.manifestTokens === cost.apiTokens &&
      Math.abs(cost.manifestUsd - cost.apiUsd) < roundingShare * cost.apiUsd,
    woke: wake.exitCode === 0 && wake.outcome === 'finished' && wake.woke === 2,
  };
}

function isList(list: readonly string[], wanted: readonly string[]): boolean {
  return list.length === wanted.length && list.every((item, index) => item === wanted[index]);
}
