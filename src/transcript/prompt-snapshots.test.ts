import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from './entry.ts';
import { withoutForeignPrompts } from './prompt-snapshots.ts';

function snapshot(uuid: string, parentUuid: string, ...systemPrompt: string[]): TranscriptEntry {
  const attachment = { type: 'prompt_snapshot', systemPrompt };
  return { type: 'attachment', uuid, parentUuid, attachment };
}

const rows: readonly TranscriptEntry[] = [
  { type: 'user', uuid: 'ask', parentUuid: null, message: { role: 'user', content: 'Hello' } },
  snapshot('old', 'ask', 'You are an agent.', 'Be brief.'),
  snapshot('new', 'old', 'You are an agent.', 'Be long.'),
  {
    type: 'assistant',
    uuid: 'answer',
    parentUuid: 'new',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  },
];

describe('withoutForeignPrompts', () => {
  it.each([
    ['another role', 'Be kind.', ['old', 'new']],
    ['one of two roles', 'Be long.', ['old']],
    ['the same role with blanks around', '\nBe brief. ', ['new']],
    ['a part of the text', 'Be', ['old', 'new']],
    ['no role', '', []],
  ])('for %s takes out the prompts of the others', (_what, instructions, dropped) => {
    const cleaned = withoutForeignPrompts(rows, instructions);
    expect(cleaned.dropped).toEqual(dropped.map((uuid) => ({ uuid, why: 'prompt-snapshot' })));
    expect(cleaned.entries).toHaveLength(rows.length - dropped.length);
  });

  it('keeps the conversation whole', () => {
    const { entries } = withoutForeignPrompts(rows, 'Be kind.');
    expect(entries.map((row) => [row.uuid, row.parentUuid])).toEqual([
      ['ask', null],
      ['answer', 'ask'],
    ]);
  });

  it('leaves other notes and snapshots of unknown form alone', () => {
    const note = { type: 'attachment', uuid: 'a', attachment: { type: 'date' } };
    const odd = { type: 'attachment', uuid: 'b', attachment: { type: 'prompt_snapshot' } };
    expect(withoutForeignPrompts([note, odd], 'Be long.').entries).toEqual([note, odd]);
  });
});
