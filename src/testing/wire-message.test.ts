import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { messageReply } from './reply-builders.ts';
import type { ReplyBlock } from './reply.ts';
import { toWireEvents, toWireMessage, type WireEvent } from './wire-message.ts';

const block: fc.Arbitrary<ReplyBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({
    type: fc.constant('thinking' as const),
    thinking: fc.string({ unit: 'grapheme' }),
    signature: fc.string(),
  }),
  fc.record({
    type: fc.constant('tool_use' as const),
    name: fc.string({ minLength: 1 }),
    input: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    id: fc.string({ minLength: 1 }),
  }),
);

/** Puts a stream together again, as a client of the Messages API does. */
function assemble(events: readonly WireEvent[]): readonly unknown[] {
  const blocks: Record<string, unknown>[] = [];
  const json: string[] = [];
  for (const event of events) {
    const index = Number(event['index']);
    if (event.type === 'content_block_start') {
      blocks[index] = { ...(event['content_block'] as Record<string, unknown>) };
      json[index] = '';
    }
    if (event.type !== 'content_block_delta') continue;
    const delta = event['delta'] as Record<string, string>;
    const target = blocks[index] ?? {};
    if (delta['type'] === 'text_delta') target['text'] += delta['text'] ?? '';
    if (delta['type'] === 'thinking_delta') target['thinking'] += delta['thinking'] ?? '';
    if (delta['type'] === 'signature_delta') target['signature'] = delta['signature'];
    if (delta['type'] !== 'input_json_delta') continue;
    json[index] += delta['partial_json'] ?? '';
  }
  return blocks.map((one, index) =>
    one['type'] === 'tool_use' ? { ...one, input: JSON.parse(json[index] ?? '') } : one,
  );
}

describe('toWireEvents', () => {
  it('streams exactly the message that the plain answer holds, in pieces of any length', () => {
    const chunkLength = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), chunkLength, (content, length) => {
        const message = toWireMessage(messageReply(content), { idStem: '1', model: 'm' });
        expect(assemble(toWireEvents(message, length))).toEqual(message.content);
      }),
    );
  });
});
