import { describe, expect, it } from 'vitest';
import type { RunStatus, StepStatus } from '../runtime/status.ts';
import { en } from './locales/en.ts';
import { ru } from './locales/ru.ts';
import { statusLines } from './status-text.ts';
import { displayWidth } from './terminal/width.ts';

const at = '2026-11-30T20:00:00.000Z';
const step: StepStatus = {
  step: 'main/fetch',
  sessionId: 'id-1',
  state: 'passed',
  context: 34_200,
  lastAt: at,
  cache: 'cold',
  alive: true,
};
const status: RunStatus = {
  workspace: '/srv/project',
  runDir: '/srv/project/runs',
  exists: true,
  woke: 2,
  lastRun: { run: 'r1', flow: 'main', startedAt: at, endedAt: null, outcome: 'unfinished' },
  steps: [
    step,
    {
      ...step,
      step: '写\u001b[31m作',
      sessionId: 'id-2',
      state: 'unfinished',
      context: 0,
      lastAt: null,
      cache: 'unknown',
    },
  ],
  costUsd: 0.5,
  unpricedTokens: 3000,
  manifestPath: '/srv/project/runs/manifest.json',
  nearby: [],
};

describe('statusLines', () => {
  const lines = statusLines(status, en);

  it('tells the run, when, and how often it was woken', () => {
    expect(lines[0]).toBe('run r1, workflow main: unfinished');
    expect(lines[1]).toBe(
      `started ${en.formats.dateTime(at)} · woken 2 times · the next run is waking 3`,
    );
  });

  it('lines up the steps, with CJK, and lets no escape sequence through', () => {
    const [header = '', first = '', second = ''] = lines.slice(2, 5);
    expect(first).toMatch(/^ {2}main\/fetch +passed +id-1 +34\.2K +cold +\S/);
    expect(second).toMatch(/^ {2}写作 +unfinished +id-2 +0 +- +no record yet$/);
    const column = displayWidth(header.slice(0, header.indexOf('session')));
    expect(displayWidth(second.slice(0, second.indexOf('id-2')))).toBe(column);
    expect(first.indexOf('id-1')).toBe(column);
  });

  it('ends with the cost, the manifest and what running again would do', () => {
    expect(lines.slice(-3)).toEqual([
      'total cost $0.50 and 3K tokens of unknown price',
      'record of the run: /srv/project/runs/manifest.json',
      en.status.next.unfinished,
    ]);
  });

  it('says that nothing is there, without a cost of nothing', () => {
    const nothing = { ...status, exists: false, lastRun: null, steps: [], costUsd: 0 };
    expect(statusLines(nothing, en)).toEqual([
      'Nothing to continue: no run of /srv/project is recorded in /srv/project/runs.',
      en.status.next.start,
    ]);
  });

  it('names the records near by when there are none here', () => {
    const nearby = [{ runDir: '/srv/runs', workspace: '/srv/\u001b[31mother' }];
    const nothing = { ...status, exists: false, lastRun: null, steps: [], costUsd: 0, nearby };
    expect(statusLines(nothing, en).slice(1, 3)).toEqual([
      'Near by there are records; name one with -r:',
      '  /srv/runs of /srv/other',
    ]);
  });

  it('tells what single agents cost where no workflow ran', () => {
    const single = { ...status, exists: false, lastRun: null, steps: [] };
    expect(statusLines(single, en).join('\n')).toContain('total cost $0.50');
  });

  it('speaks Russian', () => {
    expect(statusLines(status, ru)[0]).toBe('запуск r1, сценарий main: не закончен');
  });
});
