import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { en } from '../locales/en.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { transcriptRecord } from './transcript-record.ts';

const user = (content: unknown, fields: object = {}): TranscriptEntry => ({
  type: 'user',
  uuid: 'u',
  message: { role: 'user', content },
  ...fields,
});
const assistant = (...content: object[]): TranscriptEntry => ({
  type: 'assistant',
  uuid: 'a',
  message: { role: 'assistant', content },
});
const result = (content: unknown, isError = false): TranscriptEntry =>
  user([{ type: 'tool_result', tool_use_id: 't', content, is_error: isError }]);

function shown(
  rows: readonly TranscriptEntry[],
  subagents: Readonly<Record<string, readonly TranscriptEntry[]>> = {},
  all = false,
): string[] {
  const view = { texts: en, all, subagents: new Map(Object.entries(subagents)) };
  return [...transcriptRecord(rows, view)].map(({ mark, text }) => mark + text);
}

describe('transcriptRecord', () => {
  it('shows who speaks, what is called with which argument, and what came back', () => {
    const rows = [
      user('Do it.', { timestamp: 'a time' }),
      assistant({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'I look.' }),
      assistant({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls\n-la' } }),
      result('a\nb'),
      result([{ type: 'text', text: 'no' }], true),
      assistant({ type: 'text', text: 'Done.' }),
    ];
    expect(shown(rows)).toEqual([
      '-- user · a time',
      'Do it.',
      '-- assistant',
      '~ hm',
      'I look.',
      '> Bash ls -la',
      '  a\nb',
      'x no',
      'Done.',
    ]);
  });

  it('cuts results to some lines, unless all is asked for', () => {
    const text = Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n');
    const rows = [result(text)];
    expect(shown(rows).at(-1)).toMatch(/line 5\n\.\.\. 3 more lines$/);
    expect(shown(rows, {}, true).at(-1)).toMatch(/line 8$/);
  });

  it('indents a subagent behind its call, and shows one without a call at the end', () => {
    const rows = [
      assistant({ type: 'tool_use', id: 't1', name: 'Agent', input: { description: 'dig' } }),
      assistant({ type: 'text', text: 'after' }),
    ];
    const subagents = {
      'subagents/agent-1': [
        { type: 'agent_metadata', agentType: 'digger', toolUseId: 't1' },
        assistant({ type: 'text', text: 'bone' }),
      ],
      'subagents/agent-2': [assistant({ type: 'text', text: 'lost' })],
    };
    expect(shown(rows, subagents)).toEqual([
      '-- assistant',
      '> Agent dig',
      '  | -- subagent digger',
      '  | -- assistant',
      '  | bone',
      '-- assistant',
      'after',
      '  | -- subagent subagents/agent-2',
      '  | -- assistant',
      '  | lost',
    ]);
  });

  it('passes over rows that nobody said, and marks a compaction', () => {
    const rows: TranscriptEntry[] = [
      { type: 'mode' },
      { type: 'attachment', uuid: 'x', attachment: { type: 'date' } },
      user('   '),
      { type: 'system', subtype: 'compact_boundary', uuid: 'c' },
    ];
    expect(shown(rows)).toEqual(['-- note', '- the conversation was compacted here']);
  });

  it.each<[string, TranscriptEntry]>([
    ['a text', user('a\u001b[2Jb\u0007')],
    ['a call', assistant({ type: 'tool_use', name: 'a\u001b[2Jb', input: { command: '\u0007' } })],
    ['a result', result('a\u001b[2Jb\u0007')],
    ['an unknown block', assistant({ type: 'a\u001b[2Jb' })],
  ])('lets %s not act on the terminal', (_what, row) => {
    for (const line of shown([row])) expect(sanitize(line)).toBe(line);
  });
});
