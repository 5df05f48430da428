import { describe, expect, it } from 'vitest';
import type { MessageReply, ScriptedRequest } from '../../testing/index.ts';
import { createDemoModel, deliveryCommand, stepOf } from './demo-model.ts';

/** One call with its result, as a conversation holds them. */
function done(id: string, name: string, input: object, result: string): object[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
  ];
}

const written = [
  ...done('1', 'Read', { file_path: '/w/tally.sh' }, 'exit 1'),
  ...done('2', 'Write', { file_path: '/w/tally.sh' }, 'written'),
];
const delivered = (result: string): object[] =>
  done('3', 'Bash', { command: deliveryCommand }, result);
const looked = (result: string): object[] =>
  done('4', 'Bash', { command: 'wc -l < outbox.txt' }, result);

async function answer(messages: readonly object[]): Promise<string> {
  const { script } = createDemoModel(() => '/w');
  const request = { index: 0, system: 'You are the maker: x', messages };
  const reply = (await script(request as ScriptedRequest, 0)) as MessageReply;
  const [last] = reply.content.slice(-1);
  if (last?.type === 'tool_use') {
    const { command } = last.input;
    return typeof command === 'string' ? command : last.name;
  }
  return last?.type === 'text' ? last.text : '';
}

describe('the model of the demo', () => {
  it.each([
    ['reads before it writes', [], 'Read'],
    ['delivers when it is written', written, deliveryCommand],
    [
      'looks first when it knows that its delivery was cut off',
      [...written, ...delivered('[Tool call interrupted; outcome is unknown]')],
      'wc -l < outbox.txt',
    ],
    [
      'does not repeat a delivery that took effect',
      [...written, ...delivered('outcome unknown'), ...looked('1')],
      'tally.sh is written and was delivered.',
    ],
    [
      'delivers again when nothing arrived',
      [...written, ...delivered('outcome unknown'), ...looked('0')],
      deliveryCommand,
    ],
    ['repeats a delivery that was hidden from it', written, deliveryCommand],
  ])('%s', async (_fact, messages, wanted) => {
    expect(await answer(messages)).toBe(wanted);
  });

  it('reports another usage with every answer', async () => {
    const { script, usage } = createDemoModel(() => '/w');
    for (const index of [0, 1, 2]) {
      const request = { index: index + 10, system: 'You are the maker: x', messages: [] };
      await script(request as unknown as ScriptedRequest, index);
    }
    expect([...usage.keys()]).toEqual([10, 11, 12]);
    expect(new Set([...usage.values()].map(({ inputTokens }) => inputTokens)).size).toBe(3);
  });

  it.each([
    ['You are Claude.\n\nYou are the reader: you find out', 'read'],
    ['You are the checker: you try', 'verify'],
    ['You are Claude.', undefined],
  ])('%j is a request of step %s', (system, step) => {
    expect(stepOf({ system })).toBe(step);
  });
});
