import { describe, expect, it } from 'vitest';
import { withoutOldDenials } from './denials.ts';
import { assistant, call, denial, result, text, thinking, user, uuidsOf } from './fixtures/rows.ts';

const start = user(undefined, 'Work.');

function pair(parent: typeof start, id: string): readonly [typeof start, typeof start] {
  const asked = assistant(parent, [call(id)]);
  return [asked, denial(asked, id)];
}

describe('withoutOldDenials', () => {
  it.each([
    [0, []],
    [1, ['d3']],
    [2, ['d2', 'd3']],
    [9, ['d1', 'd2', 'd3']],
  ])('keeps the newest %i', (keep, kept) => {
    const [a, b] = pair(start, 'd1');
    const [c, d] = pair(b, 'd2');
    const [e, f] = pair(d, 'd3');
    const end = assistant(f, [text('ok')]);
    const { entries } = withoutOldDenials([start, a, b, c, d, e, f, end], keep);
    const json = JSON.stringify(entries);
    expect(['d1', 'd2', 'd3'].filter((id) => json.includes(`"${id}"`))).toEqual(kept);
    expect(entries).toHaveLength(2 + 2 * kept.length);
  });

  it('keeps what else the messages say', () => {
    const both = assistant(start, [text('First.'), call('d1'), call('ok')]);
    const answers = user(
      both,
      [
        result('d1', 'Permission to use Bash has been denied.', { is_error: true }),
        result('ok', 'fine'),
      ],
      { toolUseResult: 'Error: Permission to use Bash has been denied.' },
    );
    const [c, d] = pair(answers, 'd2');
    const end = assistant(d, [text('ok')]);
    const { entries, dropped, repaired } = withoutOldDenials([start, both, answers, c, d, end], 1);
    expect(entries[1]?.message).toMatchObject({ content: [text('First.'), call('ok')] });
    expect(entries[2]?.message).toMatchObject({ content: [result('ok', 'fine')] });
    expect(entries[2]).not.toHaveProperty('toolUseResult');
    expect(dropped).toEqual([]);
    expect(repaired.map((repair) => repair.uuid)).toEqual([both.uuid, answers.uuid]);
  });

  it('takes the thinking with the call when nothing else is left of the message', () => {
    const id = { id: 'msg_same' };
    const thought = assistant(start, [thinking('hm')], id);
    const asked = assistant(thought, [call('d1')], id);
    const refused = denial(asked, 'd1');
    const [c, d] = pair(refused, 'd2');
    const end = assistant(d, [text('ok')]);
    const { entries } = withoutOldDenials([start, thought, asked, refused, c, d, end], 1);
    expect(uuidsOf(entries)).toEqual(uuidsOf([start, c, d, end]));
    expect(entries[1]?.parentUuid).toBe(start.uuid);
  });

  it('keeps thinking, untouched, in front of another call of the message', () => {
    const id = { id: 'msg_same' };
    const thought = assistant(start, [thinking('hm')], id);
    const asked = assistant(thought, [call('d1')], id);
    const other = assistant(asked, [call('ok')], id);
    const refused = denial(asked, 'd1');
    const fine = user(other, [result('ok', 'fine')]);
    const [c, d] = pair(fine, 'd2');
    const end = assistant(d, [text('ok')]);
    const rows = [start, thought, asked, other, refused, fine, c, d, end];
    const { entries } = withoutOldDenials(rows, 1);
    expect(uuidsOf(entries)).toEqual(uuidsOf([start, thought, other, fine, c, d, end]));
    expect(entries[1]).toBe(thought);
    expect(entries[2]?.parentUuid).toBe(thought.uuid);
  });

  it('keeps refusals that the model has not answered yet', () => {
    const asked = assistant(start, [call('d1'), call('d2')]);
    const one = denial(asked, 'd1');
    const two = denial(one, 'd2');
    const rows = [start, asked, one, two];
    expect(withoutOldDenials(rows, 0).entries).toEqual(rows);
  });
});
