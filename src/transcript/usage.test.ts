import { describe, expect, it } from 'vitest';
import { apiError, assistant, boundary, text, user } from './fixtures/rows.ts';
import { lastContextTokens, sumUsage } from './usage.ts';

const start = user(undefined, 'Work.');

function usage(input: number, output: number, read = 0, write = 0): Record<string, unknown> {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
  };
}

describe('sumUsage', () => {
  it('counts the last usage of each message, by model, without synthetic rows', () => {
    const one = assistant(start, [text('a')], { id: 'm1', usage: usage(10, 1) });
    const grown = assistant(one, [text('b')], { id: 'm1', usage: usage(10, 7, 3, 4) });
    const two = assistant(grown, [text('c')], { id: 'm2', usage: usage(20, 2) });
    const other = assistant(two, [text('d')], { id: 'm3', model: 'haiku', usage: usage(5, 5) });
    expect(sumUsage([start, one, grown, two, apiError(two), other])).toEqual({
      byModel: {
        'claude-sonnet-4-5': sum(2, 30, 9, 3, 4),
        haiku: sum(1, 5, 5, 0, 0),
      },
      total: sum(3, 35, 14, 3, 4),
    });
  });

  function sum(
    messages: number,
    inputTokens: number,
    outputTokens: number,
    cacheReadTokens: number,
    cacheWriteTokens: number,
  ): Record<string, number> {
    return { messages, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  }

  it('takes odd rows as nothing', () => {
    const odd = [
      { type: 'assistant' },
      assistant(start, [], { usage: null }),
      assistant(start, [], { id: 7, usage: usage(1, 1) }),
      assistant(start, [], { id: 'm', usage: { input_tokens: 'many', output_tokens: -3 } }),
    ];
    expect(sumUsage(odd).total).toEqual(sum(1, 0, 0, 0, 0));
  });
});

describe('lastContextTokens', () => {
  const answer = assistant(start, [text('a')], { usage: usage(10, 99, 20, 30) });
  it.each([
    ['nothing', [], 0],
    ['the last response, without its output', [start, answer], 60],
    ['the last real response', [start, answer, apiError(answer)], 60],
    ['the main thread only', [start, answer, { ...answer, isSidechain: true, message: {} }], 60],
    ['what a compaction recorded', [start, answer, boundary(answer)], 9_000],
    ['nothing right after a compaction without a record', [start, answer, boundary(answer, {})], 0],
  ])('reads %s', (_name, rows, tokens) => {
    expect(lastContextTokens(rows)).toBe(tokens);
  });
});
