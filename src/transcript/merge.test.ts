import { describe, expect, it } from 'vitest';
import { user } from './fixtures/rows.ts';
import { missingEntries } from './merge.ts';

const one = user(undefined, '1');
const two = user(one, '2');
const three = user(two, '3');
const four = user(three, '4');
const mode = { type: 'mode', mode: 'normal' };
const title = { type: 'ai-title', aiTitle: 't' };

describe('missingEntries', () => {
  it.each([
    ['nothing when both are the same', [one, mode, two], [one, mode, two], []],
    ['everything when the store has nothing', [], [mode, one, two], [mode, one, two]],
    ['nothing when the file has less', [one, two], [one], []],
    ['nothing when the file is empty', [one], [], []],
    ['the end of the file', [one, two], [one, two, three, title, four], [three, title, four]],
    ['the beginning of the file', [three, four], [one, two, three, four], [one, two]],
    ['rows in between', [one, four], [one, two, three, four], [two, three]],
    ['no metadata from before the last shared row', [one, two], [mode, one, title, two], []],
    ['metadata behind it', [one, two], [one, two, mode], [mode]],
    ['metadata only as often as it lacks', [one, two, mode], [one, two, mode, mode], [mode]],
    [
      'no metadata that the store has elsewhere behind it',
      [one, mode, two, title],
      [one, mode, title],
      [],
    ],
    ['each row once', [], [one, one], [one]],
    ['no rows that are local only', [one], [one, { type: 'api-request', id: 'x' }, mode], [mode]],
  ])('finds %s', (_name, stored, local, missing) => {
    expect(missingEntries(stored, local)).toEqual(missing);
  });

  it('knows a metadata row again when a database has changed the order of its fields', () => {
    const stored = [one, { mode: { b: 1, a: [2] }, type: 'mode' }];
    expect(missingEntries(stored, [one, { type: 'mode', mode: { a: [2], b: 1 } }])).toEqual([]);
  });

  it('finds nothing more once its rows are stored', () => {
    const stored = [three, mode];
    const local = [one, two, title, three, mode, four, title];
    const merged = [...stored, ...missingEntries(stored, local)];
    expect(missingEntries(merged, local)).toEqual([]);
  });
});
