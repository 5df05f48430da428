import type { FlowerEvent, FlowerEventBody } from '../../events/event.ts';

/** Wraps a payload into an event of a fixed run, for tests. */
export function testEvent(body: FlowerEventBody): FlowerEvent {
  return { v: 1, at: '2026-11-30T20:00:00.000Z', run: '20261130-200000-abcdef', ...body };
}

/** Step and row of the events of {@link testRun}. */
export const testScope = { step: 'fetch', label: 'fetch' } as const;

/** A failing run of two steps with everything a view has to show. */
export const testRun: readonly FlowerEvent[] = [
  testEvent({
    type: 'run-start',
    flow: 'notes',
    woke: 2,
    resumed: true,
    continues: [
      {
        step: 'fetch',
        sessionId: 'id',
        context: 34_200,
        lastAt: '2026-11-30T19:18:00.000Z',
        cache: 'cold',
      },
    ],
    steps: ['fetch', 'write'],
    workspace: '/srv/project',
    runDir: '/srv/project/runs',
  }),
  testEvent({ type: 'step-start', step: 'fetch', index: 1, total: 2, resumed: true, woke: 2 }),
  testEvent({ ...testScope, type: 'attempt-start', attempt: 1, sessionId: 'id', resumed: true }),
  testEvent({ ...testScope, type: 'prompt', text: 'secret prompt' }),
  testEvent({ ...testScope, type: 'thinking', text: 'I look at the file first.' }),
  testEvent({
    ...testScope,
    type: 'text',
    text: '我先读一下文件，然后把要点写成笔记，最后检查一遍结果是否完整。',
  }),
  testEvent({
    ...testScope,
    type: 'tool-call',
    id: 't1',
    tool: 'Read',
    summary: 'README.md',
    input: {},
  }),
  testEvent({ ...testScope, type: 'tool-result', id: 't1', tool: 'Read', ok: true, text: 'lots' }),
  testEvent({
    ...testScope,
    type: 'tool-result',
    id: 't2',
    tool: 'Write',
    ok: false,
    denied: true,
    text: 'not in the list\nof tools',
  }),
  testEvent({
    ...testScope,
    type: 'text',
    subagent: { id: 'a1', type: 'scout' },
    text: 'folded words',
  }),
  testEvent({
    ...testScope,
    type: 'usage',
    messageId: 'm1',
    model: 'm',
    tokens: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 },
    context: 34_200,
  }),
  testEvent({
    type: 'step-end',
    step: 'fetch',
    ok: false,
    costUsd: 0.0123,
    durationMs: 62_000,
    sessionId: 'id',
    context: 34_200,
    error: 'the gate said no',
  }),
];

/** The end of {@link testRun}. */
export const testRunEnd: FlowerEvent = testEvent({
  type: 'run-end',
  ok: false,
  failedAt: 'fetch',
  costUsd: 0.0123,
  unpricedTokens: 0,
  durationMs: 63_000,
  manifestPath: '/srv/project/runs/manifest.json',
});
