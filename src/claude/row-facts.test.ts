import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { assistantUsage, toolCallIds } from './row-facts.ts';

function assistant(message: Readonly<Record<string, unknown>>): TranscriptEntry {
  return { type: 'assistant', message: { id: 'msg_1', model: 'm', content: [], ...message } };
}

describe('assistantUsage', () => {
  it('reads the tokens of a response', () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
    };
    expect(assistantUsage(assistant({ usage }))).toEqual({
      messageId: 'msg_1',
      model: 'm',
      tokens: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    });
  });

  it('counts what a gateway leaves out as nothing', () => {
    expect(assistantUsage(assistant({ usage: { input_tokens: 7 } }))?.tokens).toEqual({
      inputTokens: 7,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  it.each<[string, TranscriptEntry]>([
    ['a user row', { type: 'user', message: { content: 'x' } }],
    ['a synthetic message', assistant({ model: '<synthetic>', usage: {} })],
    ['a message without usage', assistant({})],
    ['a message without an id', assistant({ id: undefined, usage: {} })],
    ['a row without a message', { type: 'assistant' }],
  ])('%s has none', (_, entry) => {
    expect(assistantUsage(entry)).toBeUndefined();
  });
});

describe('toolCallIds', () => {
  it.each<[string, TranscriptEntry, string[]]>([
    [
      'all calls of a row',
      assistant({
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_use', id: 'a', name: 'Bash', input: {} },
          { type: 'tool_use', id: 'b', name: 'Bash', input: {} },
        ],
      }),
      ['a', 'b'],
    ],
    [
      'none of a user row',
      { type: 'user', message: { content: [{ type: 'tool_use', id: 'a' }] } },
      [],
    ],
    ['none of a text', assistant({ content: 'x' }), []],
  ])('%s', (_, entry, ids) => {
    expect(toolCallIds(entry)).toEqual(ids);
  });
});
