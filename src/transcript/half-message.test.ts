import { describe, expect, it } from 'vitest';
import { assistant, call, result, row, text, thinking, user, uuidsOf } from './fixtures/rows.ts';
import { withoutHalfMessage } from './half-message.ts';

const start = user(undefined, 'Work.');
const wantsTools = { id: 'msg_half', stop_reason: 'tool_use' };

describe('withoutHalfMessage', () => {
  it.each([
    ['text before calls that were not written', [assistant(start, [text('I will')], wantsTools)]],
    ['thinking alone', [assistant(start, [thinking('hm')], { stop_reason: null })]],
    ['thinking before a lost answer', [assistant(start, [thinking('hm')])]],
  ])('drops %s', (_name, rows) => {
    const cleaned = withoutHalfMessage([start, ...rows]);
    expect(cleaned.entries).toEqual([start]);
    expect(cleaned.dropped).toEqual([{ uuid: rows[0]?.uuid, why: 'half-message' }]);
  });

  it('drops all rows of the message, and moves what hangs on them', () => {
    const thought = assistant(start, [thinking('hm')], wantsTools);
    const spoken = assistant(thought, [text('I will')], wantsTools);
    const note = row('attachment', spoken, { attachment: { type: 'date' } });
    const { entries } = withoutHalfMessage([start, thought, spoken, note]);
    expect(entries).toEqual([start, { ...note, parentUuid: start.uuid }]);
  });

  it('drops one after the other', () => {
    const one = assistant(start, [text('I')], { stop_reason: 'tool_use' });
    const two = assistant(one, [thinking('hm')]);
    expect(uuidsOf(withoutHalfMessage([start, one, two]).entries)).toEqual([start.uuid]);
  });

  const spoken = assistant(start, [text('I will')], wantsTools);
  const asked = assistant(spoken, [call('t')], wantsTools);
  it.each([
    ['an answer', [assistant(start, [text('done')])]],
    ['a partial answer', [assistant(start, [text('Bed A gets pe')], { stop_reason: null })]],
    ['text with its calls', [spoken, asked]],
    ['text whose call is answered', [spoken, asked, user(asked, [result('t', 'x')])]],
    ['a half message that was answered', [spoken, user(spoken, 'continue')]],
    [
      'thinking that used up all tokens',
      [assistant(start, [thinking('hm')], { stop_reason: 'max_tokens' })],
    ],
    ['an empty answer', [assistant(start, [])]],
    ['a rewind', [spoken, { type: 'last-prompt', leafUuid: spoken.uuid, explicit: true }]],
  ])('keeps %s', (_name, rows) => {
    expect(withoutHalfMessage([start, ...rows])).toEqual({
      entries: [start, ...rows],
      dropped: [],
      repaired: [],
    });
  });
});
