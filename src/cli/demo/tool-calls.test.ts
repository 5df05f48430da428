import { describe, expect, it } from 'vitest';
import { toolCalls } from './tool-calls.ts';

const call = (id: string, command: string): object => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command },
});

describe('toolCalls', () => {
  it('pairs each call with its result, whatever stands between', () => {
    const calls = toolCalls([
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }, call('a', 'ls')] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: 'notes.txt' }],
      },
      { role: 'assistant', content: [call('b', 'pwd'), call('c', 'id')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'root' }] },
        ],
      },
    ]);
    expect(calls.map(({ id, result }) => [id, result])).toEqual([
      ['a', 'notes.txt'],
      ['b', undefined],
      ['c', 'root'],
    ]);
    expect(calls[0]).toMatchObject({ name: 'Bash', input: { command: 'ls' } });
  });

  it.each([['text'], [null], [[null, 3, { type: 'tool_use' }]]])(
    'takes %j without a fault',
    (content) => {
      expect(() => toolCalls([{ role: 'user', content }])).not.toThrow();
    },
  );
});
