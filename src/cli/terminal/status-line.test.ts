import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from '../locales/en.ts';
import { Progress } from './progress.ts';
import { statusLine } from './status-line.ts';
import { testEvent, testScope } from './test-events.test-support.ts';
import { displayWidth } from './width.ts';

function progressWith(summary: string, step = 'fetch'): Progress {
  const progress = new Progress();
  const scope = { step, label: step };
  progress.apply(
    testEvent({ type: 'step-start', step, index: 1, total: 3, resumed: false, woke: 1 }),
    1000,
  );
  progress.apply(
    testEvent({
      ...scope,
      type: 'usage',
      messageId: 'm',
      model: 'm',
      tokens: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      context: 34_200,
    }),
    1000,
  );
  progress.apply(
    testEvent({ ...scope, type: 'tool-call', id: 'a', tool: 'Bash', summary, input: {} }),
    3000,
  );
  return progress;
}

describe('statusLine', () => {
  it('shows step, activity and its duration, context, cost and elapsed', () => {
    const line = statusLine(progressWith('npm test'), en, 100, 15_000);
    expect(line).toBe(' 1/3 fetch | Bash npm test 12s | 34.2K | $0.00 | 14s');
  });

  it('cuts the activity when room is short', () => {
    const line = statusLine(progressWith('npm run build -- --all'), en, 60, 15_000);
    expect(line).toBe(' 1/3 fetch | Bash npm run buil... 12s | 34.2K | $0.00 | 14s');
  });

  it('leaves the activity out on a narrow terminal', () => {
    const line = statusLine(progressWith('npm test', 'a-long-step-name'), en, 40, 15_000);
    expect(line).toBe(' 1/3 a-long-st... | 34.2K | $0.00 | 14s');
  });

  it('never fills the last column', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '你', ' ', '👩‍🔬'), maxLength: 60 });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 40, max: 200 }), (step, summary, columns) => {
        const line = statusLine(progressWith(summary, step), en, columns, 3_600_000);
        expect(displayWidth(line)).toBeLessThan(columns);
      }),
    );
  });
});

describe('Progress', () => {
  it('goes back to thinking when the last running tool has answered', () => {
    const progress = progressWith('x');
    progress.apply(
      testEvent({ ...testScope, type: 'tool-result', id: 'a', tool: 'Bash', ok: true, text: '' }),
      9000,
    );
    expect(progress.activity).toEqual({ kind: 'thinking' });
    expect(progress.activitySinceMs).toBe(9000);
  });

  it('keeps a running tool on display while a subagent talks', () => {
    const progress = progressWith('x');
    const subagent = { id: 's', type: 'scout' };
    progress.apply(testEvent({ ...testScope, type: 'text', subagent, text: 'hi' }), 9000);
    expect(progress.activity).toEqual({ kind: 'tool', text: 'Bash x' });
    expect(progress.activitySinceMs).toBe(3000);
  });

  it('adds up what the steps cost and takes the total of the run', () => {
    const progress = new Progress();
    const end = { ok: true, durationMs: 1, sessionId: null, context: 0 } as const;
    progress.apply(testEvent({ type: 'step-end', step: 'a', costUsd: 0.25, ...end }), 1);
    progress.apply(testEvent({ type: 'step-end', step: 'b', costUsd: 0.5, ...end }), 2);
    expect(progress.costUsd).toBe(0.75);
  });
});
