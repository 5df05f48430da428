import type { DemoFacts } from './demo-facts.ts';

const session = '0ac9e599-28e8-408b-a431-e76beb2919ff';

/** Facts of a demo in which everything held. */
export const goodFacts: DemoFacts = {
  folder: '/tmp/flower-demo-x',
  workspace: '/tmp/flower-demo-x/project',
  runDir: '/tmp/flower-demo-x/project/runs',
  manifestPath: '/tmp/flower-demo-x/project/runs/manifest.json',
  durationMs: 16_040,
  cut: {
    pid: 18_912,
    processes: 7,
    serverPid: 19_121,
    left: [],
    endedAfterMs: 42,
    outcome: 'unfinished',
    passed: ['read'],
    unfinished: ['make'],
    sessionId: session,
  },
  wake: { exitCode: 0, durationMs: 8_900, outcome: 'finished', woke: 2 },
  readRequests: { before: 2, inAll: 2 },
  session: { before: session, after: session, seenByApi: [session] },
  entries: { before: 22, kept: 22, after: 33 },
  cutCallResult: '[Tool call interrupted: its outcome is unknown.]',
  deliveries: 1,
  gate: {
    rows: ['verify', 'verify#round2'],
    objection: 'tally.sh printed 3, but words.txt holds 6 words',
    sessions: ['3b1c0f52-28e8-408b-a431-e76beb291900'],
    printed: '6',
    words: 6,
  },
  cost: {
    manifestUsd: 0.133_41,
    apiUsd: 0.133_42,
    manifestTokens: 82_342,
    apiTokens: 82_342,
    killedUsd: 0.0287,
  },
};
