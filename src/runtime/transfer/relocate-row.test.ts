import { describe, expect, it } from 'vitest';
import { relocateRows } from './relocate-row.ts';

const from = { workspace: '/old/place', projectKey: '-old-place' };
const to = { workspace: '/new', projectKey: '-new' };

describe('relocateRows', () => {
  it('changes what names the place, and only that', () => {
    const table = { name: 't', columns: ['workspace', 'project_key', 'payload'] };
    const change = relocateRows(table, from, to);
    expect(change(['/old/place', '-old-place', '/old/place'])).toEqual([
      '/new',
      '-new',
      '/old/place',
    ]);
    expect(change(['/another', '-another', null])).toEqual(['/another', '-another', null]);
  });

  it('lets nobody be taken for a process of the original', () => {
    const table = { name: 'attempt_rows', columns: ['host_pid', 'host_start', 'segment'] };
    const segment = {
      sessionId: 's',
      projectKey: '-old-place',
      firstSequence: 3,
      subagents: { a: 1 },
      mark: 'the-mark',
      pid: 4711,
      pidStart: '1',
    };
    const change = relocateRows(table, from, to);
    const [pid, start, text] = change([4711, '1', JSON.stringify(segment)]);
    expect([pid, start]).toEqual([0, '']);
    const changed = JSON.parse(String(text)) as typeof segment;
    expect(changed).toEqual({
      ...segment,
      projectKey: '-new',
      pid: null,
      pidStart: null,
      mark: expect.any(String) as string,
    });
    expect(changed.mark).not.toBe('the-mark');
    expect(change([null, null, null])).toEqual([null, null, null]);
  });
});
