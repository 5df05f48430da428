import { describe, expect, it } from 'vitest';
import { activeChain } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { assistant, boundary, text, user, uuidsOf } from './fixtures/rows.ts';

const one = user(undefined, '1');
const two = assistant(one, [text('2')]);
const three = user(two, '3');
const other = user(two, 'other');

function pin(leafUuid: unknown, explicit = true): TranscriptEntry {
  return { type: 'last-prompt', leafUuid, explicit };
}

describe('activeChain', () => {
  it.each<[string, readonly TranscriptEntry[], readonly TranscriptEntry[]]>([
    ['nothing for no rows', [], []],
    ['the newest branch', [one, two, three, other], [one, two, other]],
    ['a pinned row', [one, two, three, pin(two.uuid)], [one, two]],
    ['the last pin', [one, two, three, pin(two.uuid), pin(one.uuid)], [one]],
    [
      'the tail when the last pin is not explicit',
      [one, two, pin(one.uuid), pin(one.uuid, false)],
      [one, two],
    ],
    [
      'the tail when rows follow the pin',
      [one, two, three, pin(two.uuid), other],
      [one, two, other],
    ],
    ['the tail when the pinned row is not there', [one, two, pin('gone')], [one, two]],
    ['nothing for a cleared conversation', [one, two, pin(null)], []],
    ['what follows a cleared conversation', [one, pin(null), three], [three]],
  ])('is %s', (_name, rows, chain) => {
    const known = rows.includes(two) ? rows : rows.map((row) => ({ ...row, parentUuid: null }));
    expect(uuidsOf(activeChain(known).rows)).toEqual(uuidsOf(chain));
  });

  it('puts kept rows between the summary and what follows', () => {
    const cut = boundary(two);
    const summary = user(cut, 'summary', { isCompactSummary: true });
    const kept = {
      ...cut,
      compactMetadata: {
        preservedSegment: { headUuid: two.uuid, anchorUuid: summary.uuid, tailUuid: two.uuid },
        preservedMessages: { anchorUuid: summary.uuid, uuids: [two.uuid] },
      },
    };
    const onKept = user(two, 'next');
    const onSummary = user(summary, 'next');
    expect(uuidsOf(activeChain([one, two, kept, summary, onKept]).rows)).toEqual(
      uuidsOf([cut, summary, two, onKept]),
    );
    expect(uuidsOf(activeChain([one, two, kept, summary, onSummary]).rows)).toEqual(
      uuidsOf([cut, summary, two, onSummary]),
    );
  });

  it('ends on rows that lead in a circle', () => {
    const loop = { ...one, parentUuid: two.uuid };
    expect(activeChain([loop, two]).rows).toHaveLength(2);
  });

  it('says when the beginning is missing', () => {
    expect(activeChain([three]).isComplete).toBe(false);
    expect(activeChain([one, two, three]).isComplete).toBe(true);
  });
});
