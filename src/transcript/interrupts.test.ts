import { describe, expect, it } from 'vitest';
import { assistant, call, result, text, user } from './fixtures/rows.ts';
import { INTERRUPT_TEXT } from './interrupt-text.ts';
import { neutraliseInterrupts } from './interrupts.ts';

const asked = assistant(undefined, [call('t1'), call('t2')]);
const marker = '[Request interrupted by user for tool use]';

describe('neutraliseInterrupts', () => {
  it('replaces the text of the result and its copy, and nothing else', () => {
    const failed = user(asked, [result('t1', marker, { is_error: true }), result('t2', 'fine')], {
      toolUseResult: marker,
      toolDenialKind: 'interrupted',
      later: { field: 1 },
    });
    const [cleaned] = neutraliseInterrupts([failed]).entries;
    expect(cleaned).toEqual({
      ...failed,
      toolUseResult: INTERRUPT_TEXT,
      message: {
        role: 'user',
        content: [result('t1', INTERRUPT_TEXT, { is_error: false }), result('t2', 'fine')],
      },
    });
  });

  it.each([
    ['a string', marker, INTERRUPT_TEXT],
    ['a block', [text('[Request interrupted by user]')], [text(INTERRUPT_TEXT)]],
    ['the newest wording', [text('[Interrupted by the user]')], [text(INTERRUPT_TEXT)]],
  ])('replaces a marker row that is %s', (_name, content, neutral) => {
    const row = user(asked, content, { interruptedMessageId: 'msg_1' });
    const { entries, repaired } = neutraliseInterrupts([row]);
    expect(entries).toEqual([{ ...row, message: { role: 'user', content: neutral } }]);
    expect(repaired).toEqual([{ uuid: row.uuid, what: 'interrupt' }]);
    expect(neutraliseInterrupts(entries)).toEqual({ entries, dropped: [], repaired: [] });
  });

  it.each([
    ['a result without an error', user(asked, [result('t1', marker)])],
    ['a prompt that quotes it', user(asked, `What does "${marker}" mean?`)],
    ['the model quoting it', assistant(undefined, [text(marker)])],
    ['an error of a tool', user(asked, [result('t1', 'Exit code 1', { is_error: true })])],
  ])('leaves %s', (_name, row) => {
    expect(neutraliseInterrupts([row]).entries[0]).toBe(row);
  });

  it('says that the outcome is unknown and must be checked', () => {
    expect(INTERRUPT_TEXT).toMatch(/outcome is unknown/);
    expect(INTERRUPT_TEXT).toMatch(/Check that before .* repeating it/);
  });
});
