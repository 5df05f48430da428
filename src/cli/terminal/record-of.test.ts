import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { FlowerEvent } from '../../events/event.ts';
import { en } from '../locales/en.ts';
import { renderRecordLine } from './record-line.ts';
import { recordOf, type Verbosity } from './record-of.ts';
import { testEvent, testRun, testRunEnd, testScope } from './test-events.test-support.ts';

const plain = picocolors.createColors(false);

function recordText(events: readonly FlowerEvent[], verbosity: Verbosity): string {
  return events
    .flatMap((event) => recordOf(event, en, verbosity))
    .flatMap((line) => renderRecordLine(line, Number.POSITIVE_INFINITY, plain))
    .join('\n');
}

describe('recordOf', () => {
  const normal = recordText([...testRun, testRunEnd], 'normal');

  it('shows the run, its place and the waking', () => {
    expect(normal).toContain(
      'flower notes · 2 steps · 20261130-200000-abcdef · continuing · waking 2',
    );
    expect(normal).toContain('in /srv/project, records in /srv/project/runs');
  });

  it('parts the steps and says which ones go on', () => {
    expect(normal).toContain('\n== 1/2 fetch == continuing · waking 2 ==\n');
  });

  it('shows thinking, prose and one line a tool call', () => {
    expect(normal).toContain('~ I look at the file first.');
    expect(normal).toContain('> Read README.md');
  });

  it('shows a denied call as one line with the step and the tool', () => {
    expect(normal).toContain('! step "fetch": Write was denied: not in the list of tools');
  });

  it('leaves out prompts, good results and subagents', () => {
    expect(normal).not.toMatch(/secret prompt|lots|folded words/);
  });

  it('shows all of them when asked for', () => {
    const verbose = recordText(testRun, 'verbose');
    expect(verbose).toContain('< prompt: secret prompt');
    expect(verbose).toContain('  lots');
    expect(verbose).toContain('  [scout] folded words');
  });

  it('ends with what failed, what to do, the cost and the manifest', () => {
    expect(normal).toContain('x fetch failed: the gate said no');
    expect(normal.split('\n').slice(-4)).toEqual([
      'x stopped at step "fetch"',
      '  run the same command again to go on from here',
      '  total $0.0123 in 1m 3s',
      '  record of the run: /srv/project/runs/manifest.json',
    ]);
  });

  it('shows nothing but failures and alarms when quiet', () => {
    const alarm = testEvent({ type: 'alarm', code: 'write-failed', params: { file: 'x' } });
    const notice = testEvent({ type: 'notice', code: 'api-retry', params: {} });
    expect(recordText([...testRun.slice(0, -1), notice], 'quiet')).toBe('');
    expect(recordText([alarm], 'quiet')).toBe('!! ALARM a file could not be written (file: x)');
    expect(recordText(testRun, 'quiet')).toBe('x fetch failed: the gate said no');
  });

  it('shows a denied call of a subagent', () => {
    const denied = testEvent({
      ...testScope,
      type: 'tool-result',
      subagent: { id: 'a' },
      id: 't',
      tool: 'Bash',
      ok: false,
      denied: true,
      text: 'no',
    });
    expect(recordText([denied], 'normal')).toBe('! step "fetch": Bash was denied: no');
  });

  it('shows at most three lines of a failed result', () => {
    const text = 'one\ntwo\nthree\nfour';
    const failed = testEvent({
      ...testScope,
      type: 'tool-result',
      id: 't',
      tool: 'Bash',
      ok: false,
      text,
    });
    expect(recordText([failed], 'normal')).toBe('x Bash failed: one\n  two\n  three\n  ...');
  });

  it('tells why and until when it waits', () => {
    const until = '2026-11-30T20:00:00.000Z';
    const wait = testEvent({
      ...testScope,
      type: 'wait-start',
      reason: 'offline',
      target: 'api.example:443',
      until,
    });
    const line = `- waiting, no connection (api.example:443), until ${en.formats.time(until)}`;
    expect(recordText([wait], 'normal')).toBe(line);
  });

  it('shows the name of a notice that a newer flower sends', () => {
    const event = JSON.parse(
      JSON.stringify(testEvent({ type: 'notice', code: 'api-retry', params: {} })),
    ) as FlowerEvent;
    expect(recordText([{ ...event, code: 'brand-new' } as unknown as FlowerEvent], 'normal')).toBe(
      '. brand-new',
    );
  });
});
