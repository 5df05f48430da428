import { describe, expect, it } from 'vitest';

import { sideKindOf } from './request-kind.ts';

const conversation = {
  max_tokens: 128_000,
  output_config: { effort: 'medium' },
  tools: [{ name: 'Read', input_schema: {} }],
};

describe('sideKindOf', () => {
  it.each([
    ['the conversation', conversation, ['Do it.'], undefined],
    ['a conversation without tools', { ...conversation, tools: [] }, ['Do it.'], undefined],
    ['an empty request', {}, [], undefined],
    ['a quota check', { max_tokens: 1 }, ['quota'], 'probe'],
    ['a session title', { output_config: { format: { type: 'json_schema' } } }, ['x'], 'form'],
    [
      'a web search',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      ['Perform a web search'],
      'search',
    ],
    [
      'a conversation that has a server tool too',
      { tools: [{ type: 'web_search_20250305' }, { name: 'Read', input_schema: {} }] },
      [],
      undefined,
    ],
    [
      'a compaction',
      conversation,
      ['The result.', 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'],
      'compaction',
    ],
    ['a suggestion', conversation, ['[SUGGESTION MODE: Suggest what'], 'suggestion'],
    ['a talk about compaction', conversation, ['Why CRITICAL: Respond with TEXT ONLY?'], undefined],
  ])('%s: %j', (_name, body, lastUserTexts, kind) => {
    expect(sideKindOf({ body, lastUserTexts })).toBe(kind);
  });
});
