import { describe, expect, it } from 'vitest';

import {
  apiError,
  cutStream,
  hold,
  silence,
  structuredReply,
  textReply,
  thinkingReply,
  toolReply,
} from './reply-builders.ts';
import { parseScript } from './parse-script.ts';

describe('parseScript', () => {
  it('takes what the builders make, after a way through JSON', () => {
    const main = [
      textReply('Hi', { chunkLength: 3, eventDelayMs: 5, usage: { inputTokens: 1 } }),
      thinkingReply('Hm', 'Hi', { stopReason: 'max_tokens' }),
      toolReply({ name: 'Read', input: { file_path: 'a' } }),
      structuredReply({ ok: true }),
      apiError(529, 'overloaded_error', 'Overloaded', { headers: { 'retry-after': '1' } }),
      cutStream(textReply('Hi'), 2),
      silence({ delayMs: 10 }),
      hold('gate', textReply('Hi'), { afterEvents: 1 }),
    ];
    const script = { main, subagents: { worker: main }, side: { compaction: main } };

    expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
    expect(parseScript(JSON.parse(JSON.stringify(main)))).toEqual({ main });
  });

  it('turns strings into text replies', () => {
    expect(parseScript(['Hi'])).toEqual({ main: [textReply('Hi')] });
  });

  it.each([
    ['a number', 7, 'expected object'],
    ['an unknown role', { mian: [] }, 'mian'],
    ['an unknown side request', { side: { dream: [] } }, 'dream'],
    ['an unknown field', [{ ...textReply('Hi'), stopreason: 'end_turn' }], 'stopreason'],
    [
      'an unknown block',
      [{ type: 'message', content: [{ type: 'image' }] }],
      '[0].content[0].type',
    ],
    [
      'a tool without input',
      [{ type: 'message', content: [{ type: 'tool_use', name: 'Read' }] }],
      'input',
    ],
    ['an error with a good status', [{ ...apiError(200, 'x', 'y') }], '[0].status'],
    ['a negative delay', [textReply('Hi', { delayMs: -1 })], '[0].delayMs'],
  ])('refuses %s and names the place', (_name, script, place) => {
    expect(() => parseScript(script)).toThrow(place);
    expect(() => parseScript(script)).toThrow('the script is not valid');
  });
});
