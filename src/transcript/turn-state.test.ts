import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from './entry.ts';
import { apiError, assistant, call, result, row, text, user } from './fixtures/rows.ts';
import { INTERRUPT_TEXT } from './interrupt-text.ts';
import { turnState } from './turn-state.ts';

const start = user(undefined, 'Work.');
const answer = assistant(start, [text('done')]);
const asked = assistant(start, [call('t1')], { id: 'msg_a' });
const second = assistant(asked, [call('t2', 'Agent', { prompt: 'p' })], { id: 'msg_a' });
const first = user(asked, [result('t1', 'x')]);
const formed = assistant(start, [call('s', 'StructuredOutput', { ok: true })]);

function summary(rows: readonly TranscriptEntry[], fromIndex?: number): string {
  const state = turnState(rows, fromIndex);
  if (state.kind === 'empty') return 'empty';
  if (state.kind === 'complete') return state.interrupted ? 'interrupted' : 'complete';
  return [state.at, ...state.pendingCalls.map((pending) => pending.id)].join(' ');
}

describe('turnState', () => {
  it.each<[string, readonly TranscriptEntry[], string]>([
    ['no rows', [], 'empty'],
    ['only metadata', [{ type: 'queue-operation', operation: 'enqueue' }], 'empty'],
    ['a cleared conversation', [start, answer, pin(null)], 'empty'],
    ['only a prompt', [start], 'prompt'],
    ['a prompt with attachments behind it', [start, row('attachment', start)], 'prompt'],
    ['a second prompt', [start, answer, user(answer, 'More.')], 'prompt'],
    ['a failed request', [start, apiError(start)], 'prompt'],
    ['an answer', [start, answer], 'complete'],
    [
      'an answer with metadata behind it',
      [start, answer, pin(answer.uuid), row('system', answer)],
      'complete',
    ],
    ['an answer cut by max_tokens', [start, ended('max_tokens')], 'complete'],
    ['an answer ended by a stop sequence', [start, ended('stop_sequence')], 'complete'],
    ['a refusal of the model', [start, ended('refusal')], 'complete'],
    ['a partial answer', [start, ended(null)], 'answer'],
    ['a paused answer', [start, ended('pause_turn')], 'answer'],
    ['a running call', [start, asked], 'tool-use t1'],
    ['two running calls', [start, asked, second], 'tool-use t1 t2'],
    ['parallel calls, one answered', [start, asked, second, first], 'tool-use t2'],
    ['a result', [start, asked, first], 'tool-result'],
    [
      'a result in front of an attachment',
      [start, asked, first, row('attachment', first)],
      'tool-result',
    ],
    [
      'parallel calls, all answered',
      [start, asked, second, first, user(second, [result('t2', 'y')])],
      'tool-result',
    ],
    [
      'a call that was answered while its message was written',
      [start, asked, first, last()],
      'tool-result',
    ],
    ['an answer after a result', [start, asked, first, assistant(first, [text('ok')])], 'complete'],
    [
      'a turn stopped by a person',
      [start, user(start, '[Request interrupted by user]')],
      'interrupted',
    ],
    ['the same, shaped', [start, user(start, [text(INTERRUPT_TEXT)])], 'interrupted'],
    ['a rewind to an answer', [start, answer, user(answer, 'x'), pin(answer.uuid)], 'complete'],
    ['a structured answer', [start, formed, user(formed, [result('s', 'provided')])], 'complete'],
    [
      'a structured answer that was refused',
      [start, formed, user(formed, [result('s', 'no', { is_error: true })])],
      'tool-result',
    ],
  ])('%s', (_name, rows, expected) => {
    expect(summary(rows)).toBe(expected);
  });

  function pin(leafUuid: string | null): TranscriptEntry {
    return { type: 'last-prompt', leafUuid, explicit: true };
  }

  function ended(stopReason: string | null): TranscriptEntry {
    return assistant(start, [text('Bed A gets pe')], { stop_reason: stopReason });
  }

  function last(): TranscriptEntry {
    return assistant(asked, [text('more')], { id: 'msg_a', stop_reason: 'tool_use' });
  }

  it('gives pending calls with name, input and row', () => {
    const state = turnState([start, asked, second, first]);
    expect(state.kind === 'cut' && state.pendingCalls).toEqual([
      { id: 't2', name: 'Agent', input: { prompt: 'p' }, entry: second },
    ]);
  });

  it('counts only rows from a place on', () => {
    expect(summary([start, answer], 1)).toBe('complete');
    expect(summary([start, answer, row('attachment', answer)], 2)).toBe('empty');
  });

  it('names the turn cap', () => {
    const cap = row('attachment', first, {
      attachment: { type: 'max_turns_reached', maxTurns: 1 },
    });
    expect(turnState([start, asked, first, cap])).toMatchObject({
      at: 'tool-result',
      isTurnCap: true,
    });
    expect(turnState([start, asked, first])).toMatchObject({ isTurnCap: false });
  });

  it('reads a subagent stream when it is told that it is one', () => {
    const prompt = user(undefined, 'List beds', { isSidechain: true });
    expect(turnState([prompt]).kind).toBe('empty');
    expect(turnState([prompt], 0, { sidechain: true })).toMatchObject({ at: 'prompt' });
  });
});
