import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from './entry.ts';
import { apiError, assistant, boundary, row, text, user, uuidsOf } from './fixtures/rows.ts';
import { dropRows } from './relink.ts';
import type { DropReason } from './report.ts';

function dropping(...rows: readonly TranscriptEntry[]): Map<string, DropReason> {
  return new Map(uuidsOf(rows).map((uuid) => [uuid, 'api-error']));
}

describe('dropRows', () => {
  it('hangs children on the nearest ancestor that stays', () => {
    const one = user(undefined, '1');
    const error = apiError(one);
    const again = apiError(error);
    const two = user(again, '2');
    const { entries, dropped } = dropRows([one, error, again, two], dropping(error, again));
    expect(entries).toEqual([one, { ...two, parentUuid: one.uuid }]);
    expect(dropped.map((drop) => drop.uuid)).toEqual(uuidsOf([error, again]));
  });

  it('makes a child of a dropped root a root', () => {
    const error = apiError(undefined);
    const one = user(error, '1');
    expect(dropRows([error, one], dropping(error)).entries).toEqual([{ ...one, parentUuid: null }]);
  });

  it('hangs a child on the row before it when the dropped ancestors lead out of the file', () => {
    const error = { ...apiError(undefined), parentUuid: 'elsewhere' };
    const one = user(undefined, '1');
    const two = user(error, '2');
    expect(dropRows([error, one, two], dropping(error)).entries[1]?.parentUuid).toBe(one.uuid);
    expect(dropRows([error, two], dropping(error)).entries[0]?.parentUuid).toBe('elsewhere');
  });

  it('keeps a pin when its leaf goes, and drops it when nothing of the branch stays', () => {
    const one = user(undefined, '1');
    const error = apiError(one);
    const pin = { type: 'last-prompt', leafUuid: error.uuid, explicit: true };
    expect(dropRows([one, error, pin], dropping(error)).entries[1]).toEqual({
      ...pin,
      leafUuid: one.uuid,
    });
    const alone = apiError(undefined);
    const { entries, dropped } = dropRows(
      [alone, one, { ...pin, leafUuid: alone.uuid }],
      dropping(alone),
    );
    expect(entries).toEqual([one]);
    expect(dropped).toContainEqual({ uuid: null, why: 'last-prompt' });
  });

  function compacted(preserved: (rows: Record<string, string>) => Record<string, unknown>): {
    readonly rows: readonly TranscriptEntry[];
    readonly head: TranscriptEntry;
    readonly middle: TranscriptEntry;
    readonly tail: TranscriptEntry;
    readonly summary: TranscriptEntry & { readonly uuid: string };
    readonly next: TranscriptEntry;
  } {
    const old = user(undefined, 'old');
    const head = assistant(old, [text('head')]);
    const middle = row('attachment', head, { attachment: { type: 'date' } });
    const tail = assistant(middle, [text('tail')]);
    const open = boundary(tail);
    const summary = user(open, 'summary', { isCompactSummary: true });
    const uuids = {
      head: head.uuid,
      middle: middle.uuid,
      tail: tail.uuid,
      anchor: summary.uuid,
    };
    const cut = { ...open, compactMetadata: { trigger: 'auto', ...preserved(uuids) } };
    const next = user(tail, 'next');
    return {
      rows: [old, head, middle, tail, cut, summary, next],
      head,
      middle,
      tail,
      summary,
      next,
    };
  }

  const messages = (rows: Record<string, string>): Record<string, unknown> => ({
    preservedSegment: { headUuid: rows.head, anchorUuid: rows.anchor, tailUuid: rows.tail },
    preservedMessages: {
      anchorUuid: rows.anchor,
      uuids: [rows.head, rows.tail],
      allUuids: [rows.head, rows.middle, rows.tail],
    },
  });

  it('takes the first kept row out of the metadata', () => {
    const { rows, head, middle, tail } = compacted(messages);
    const { entries, repaired } = dropRows(rows, dropping(head));
    const cut = entries.find((each) => each.subtype === 'compact_boundary');
    expect(cut?.compactMetadata).toMatchObject({
      trigger: 'auto',
      preservedSegment: { headUuid: middle.uuid, tailUuid: tail.uuid },
      preservedMessages: { uuids: [tail.uuid], allUuids: [middle.uuid, tail.uuid] },
    });
    expect(repaired.map((repair) => repair.what)).toEqual(['compaction']);
  });

  it('forgets kept rows that were never written', () => {
    const { rows, head, tail } = compacted((uuids) => ({
      preservedMessages: { anchorUuid: uuids.anchor, uuids: [uuids.head, 'lost', uuids.tail] },
    }));
    const cut = dropRows(rows, new Map()).entries.find((each) => each.compactMetadata);
    expect(cut?.compactMetadata).toEqual({
      trigger: 'auto',
      preservedMessages: expect.objectContaining({ uuids: [head.uuid, tail.uuid] }),
    });
  });

  it('edits a segment of which only the ends are named', () => {
    const { rows, middle, tail, head } = compacted((uuids) => ({
      preservedSegment: { headUuid: uuids.head, anchorUuid: uuids.anchor, tailUuid: uuids.tail },
    }));
    const { entries } = dropRows(rows, dropping(tail));
    const cut = entries.find((each) => each.compactMetadata);
    expect(cut).toMatchObject({
      logicalParentUuid: middle.uuid,
      compactMetadata: { preservedSegment: { headUuid: head.uuid, tailUuid: middle.uuid } },
    });
    expect(entries.at(-1)?.parentUuid).toBe(middle.uuid);
  });

  it('hangs what follows on the summary when nothing of the kept rows stays', () => {
    const { rows, head, tail, summary, next } = compacted(messages);
    const { entries, repaired } = dropRows(rows, dropping(head, tail));
    const cut = entries.find((each) => each.subtype === 'compact_boundary');
    expect(cut?.compactMetadata).toEqual({ trigger: 'auto' });
    expect(entries.at(-1)).toEqual({ ...next, parentUuid: summary.uuid });
    expect(repaired).toContainEqual({ uuid: next.uuid, what: 'anchor' });
  });
});
