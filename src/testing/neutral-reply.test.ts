import { describe, expect, it } from 'vitest';

import { neutralReply, smallestValue } from './neutral-reply.ts';

describe('smallestValue', () => {
  it.each([
    [{ type: 'string' }, 'scripted'],
    [{ type: 'integer' }, 0],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ enum: ['low', 'high'] }, 'low'],
    [{ const: 3 }, 3],
    [undefined, null],
    [
      {
        type: 'object',
        properties: { ok: { type: 'boolean' }, reason: { type: 'string' }, more: {} },
        required: ['ok', 'reason'],
      },
      { ok: true, reason: 'scripted' },
    ],
  ])('of %j is %j', (schema, value) => {
    expect(smallestValue(schema)).toEqual(value);
  });
});

describe('neutralReply', () => {
  it('fills in the form that the request asks for', () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
    };
    const body = { output_config: { format: { type: 'json_schema', schema } } };

    expect(neutralReply({ kind: 'form', body }).content).toEqual([
      { type: 'text', text: '{"title":"scripted"}' },
    ]);
  });

  it('costs nothing', () => {
    const { usage } = neutralReply({ kind: 'compaction', body: {} });
    expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  });
});
