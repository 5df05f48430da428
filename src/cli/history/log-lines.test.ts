import { describe, expect, it } from 'vitest';
import type { LoggedAttempt, RunLog } from '../../runtime/history/run-log.ts';
import { en } from '../locales/en.ts';
import { ru } from '../locales/ru.ts';
import { zh } from '../locales/zh.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { displayWidth } from '../terminal/width.ts';
import { logLines } from './log-lines.ts';

const sessionId = '22222222-2222-4222-8222-222222222222';

function attempt(fields: Partial<LoggedAttempt> = {}): LoggedAttempt {
  return {
    step: 'work',
    verdict: 'ok',
    sessionId,
    error: null,
    costUsd: 1.25,
    unpricedTokens: 0,
    numTurns: 3,
    attempts: 1,
    startedAt: '2026-09-07T01:00:00.000Z',
    durationS: 65,
    context: 34_200,
    resumed: false,
    git: null,
    ...fields,
  };
}

function log(attempts: readonly LoggedAttempt[]): RunLog {
  return {
    workspace: '/w',
    runDir: '/w/runs',
    runs: [
      {
        run: '20260907-090000-abc123',
        flows: ['a workflow with quite a long name', ''],
        woke: 2,
        startedAt: '2026-09-07T01:00:00.000Z',
        endedAt: '2026-09-07T02:00:00.000Z',
        outcome: 'unfinished',
        costUsd: 1.25,
        attempts,
      },
    ],
    costUsd: 1.25,
    unpricedTokens: 1200,
  };
}

const rich = log([
  attempt({ step: '干活·判定#1 with a name that is far too long for any terminal of this world' }),
  attempt({
    step: 'work#round2',
    verdict: 'failed',
    error: 'API Error: 529\n\u001b[31moverloaded',
  }),
  attempt({
    git: {
      before: 'a'.repeat(40),
      after: 'b'.repeat(40),
      diffstat: { files: 3, insertions: 10, deletions: 2 },
      uncommitted: { files: 1, insertions: 1, deletions: 0, untracked: 2 },
    },
  }),
]);

describe('logLines', () => {
  const widths = [60, 80, 100, 132, 200];
  it.each(
    [en, zh, ru].flatMap((texts) => widths.map((width) => [texts.language, width, texts] as const)),
  )('%s fits into %i columns', (_language, width, texts) => {
    for (const line of logLines(rich, texts, width)) {
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('shows everything where there is room', () => {
    const text = logLines(rich, en, Number.POSITIVE_INFINITY).join('\n');
    expect(text).toMatch(/ · run 20260907-090000-abc123 · workflow a workflow .* · waking 2 · unf/);
    expect(text).toMatch(/work#round2 .*failed +\$1\.25 +1m 5s +34\.2K .*22222222-2222-4222/);
    expect(text).toContain('API Error: 529 overloaded');
    expect(text).toContain('git aaaaaaaa -> bbbbbbbb: 3 files, +10 -2');
    expect(text).toContain('with what is not committed: 1 file, +1 -0, 2 untracked');
    expect(text.split('\n').at(-1)).toBe('total $1.25 and 1.2K tokens of unknown price');
  });

  it('keeps step, verdict and cost to the last', () => {
    const [, header = ''] = logLines(log([attempt()]), en, 40).filter((line) =>
      line.startsWith(' '),
    );
    expect(header).toMatch(/^ {2}work +ok +\$1\.25/);
  });

  it('lets nothing act on the terminal', () => {
    for (const line of logLines(rich, en, 80)) expect(sanitize(line)).toBe(line);
  });

  it('says that a run did nothing, and that there is no history', () => {
    expect(logLines(log([]), en, 80).join('\n')).toContain('no attempt recorded');
    expect(logLines({ ...rich, runs: [] }, en, 80)).toEqual(['No history in /w/runs.']);
  });
});
