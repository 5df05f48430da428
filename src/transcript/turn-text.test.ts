import { describe, expect, it } from 'vitest';
import { apiError, assistant, call, result, text, thinking, user } from './fixtures/rows.ts';
import { structuredOutput, turnText } from './turn-text.ts';

const start = user(undefined, 'Work.');
const early = assistant(start, [text('early')]);
const prompt = user(early, [text('Next.')]);
const spoken = assistant(prompt, [text('I look.')], { id: 'msg_a', stop_reason: 'tool_use' });
const asked = assistant(spoken, [call('t1')], { id: 'msg_a' });
const side = assistant(asked, [call('t2')], { id: 'msg_a' });
const got = user(asked, [result('t1', 'x')]);

describe('turnText', () => {
  it('joins what was said since the last prompt', () => {
    const wake = user(got, 'continue', { isMeta: true });
    const end = assistant(wake, [thinking('hm'), text('Done.')]);
    const rows = [start, early, prompt, spoken, asked, side, got, wake, end, apiError(end)];
    expect(turnText(rows)).toBe('I look.\nDone.');
  });

  it.each([
    ['nothing', []],
    ['a prompt alone', [start]],
    ['a failed request alone', [start, apiError(start)]],
  ])('is empty for %s', (_name, rows) => {
    expect(turnText(rows)).toBe('');
  });
});

describe('structuredOutput', () => {
  const formed = assistant(prompt, [call('s1', 'StructuredOutput', { ok: 1 })]);
  const refused = user(formed, [result('s1', 'no', { is_error: true })]);

  it('is the input of the last call of the turn', () => {
    const again = assistant(refused, [call('s2', 'StructuredOutput', { ok: true })]);
    expect(structuredOutput([start, early, prompt, formed, refused, again])).toEqual({ ok: true });
  });

  it.each([
    ['the call was refused for its form', [prompt, formed, refused]],
    ['it belongs to an earlier turn', [prompt, formed, user(formed, 'New.')]],
    ['there was none', [prompt, spoken, asked, got]],
  ])('is undefined when %s', (_name, rows) => {
    expect(structuredOutput([start, early, ...rows])).toBeUndefined();
  });
});
