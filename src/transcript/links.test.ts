import { describe, expect, it } from 'vitest';
import { boundary, user, uuidsOf } from './fixtures/rows.ts';
import { repairLinks } from './links.ts';

describe('repairLinks', () => {
  it('leaves sound rows as the same objects', () => {
    const one = user(undefined, '1');
    const two = user(one, '2');
    const rows = [one, { type: 'mode', mode: 'normal' }, two];
    const repaired = repairLinks(rows);
    expect(repaired.repaired).toEqual([]);
    expect(repaired.entries.every((row, index) => row === rows[index])).toBe(true);
  });

  it('attaches a row with a missing parent to the chain row before it', () => {
    const one = user(undefined, '1');
    const lost = { ...user(undefined, '2'), parentUuid: 'gone' };
    const { entries, repaired } = repairLinks([one, { type: 'mode' }, lost]);
    expect(entries[2]).toEqual({ ...lost, parentUuid: one.uuid });
    expect(repaired).toEqual([{ uuid: lost.uuid, what: 'parent' }]);
  });

  it('attaches nothing across a compaction', () => {
    const old = user(undefined, '1');
    const cut = boundary(old);
    const lost = { ...user(undefined, '2'), parentUuid: 'gone' };
    expect(repairLinks([old, cut, lost]).entries[2]?.parentUuid).toBe(cut.uuid);
  });

  it.each(['gone', 'there'])('lets a boundary begin anew though its parent is %s', (parent) => {
    const old = { ...user(undefined, '1'), uuid: 'there' };
    const cut = { ...boundary(old), parentUuid: parent };
    expect(repairLinks([old, cut]).entries[1]?.parentUuid).toBeNull();
  });

  it('leaves the very first row its missing parent', () => {
    const half = { ...user(undefined, '1'), parentUuid: 'elsewhere' };
    expect(repairLinks([half, user(half, '2')]).entries[0]).toBe(half);
  });

  it('cuts a cycle at the row that was written first', () => {
    const one = user(undefined, '1');
    const two = user(undefined, '2');
    const three = user(two, '3');
    const four = user(three, '4');
    const { entries } = repairLinks([one, { ...two, parentUuid: four.uuid }, three, four]);
    expect(entries.map((row) => row.parentUuid)).toEqual([null, one.uuid, two.uuid, three.uuid]);
  });

  it('ends when every row is part of one cycle', () => {
    const one = user(undefined, '1');
    const two = user(one, '2');
    const { entries } = repairLinks([{ ...one, parentUuid: two.uuid }, two]);
    expect(entries.map((row) => row.parentUuid)).toEqual([null, one.uuid]);
  });

  it('moves rows that were merged in late in front of their children', () => {
    const one = user(undefined, '1');
    const two = user(one, '2');
    const three = user(two, '3');
    const four = user(three, '4');
    const { entries, repaired } = repairLinks([three, four, one, two]);
    expect(uuidsOf(entries)).toEqual(uuidsOf([one, two, three, four]));
    expect(repaired).toEqual([
      { uuid: one.uuid, what: 'order' },
      { uuid: two.uuid, what: 'order' },
    ]);
  });

  it('moves what a compaction summarises in front of its boundary', () => {
    const old = user(undefined, '1');
    const older = user(old, '2');
    const cut = boundary(older);
    const next = user(cut, '3');
    expect(uuidsOf(repairLinks([cut, next, old, older]).entries)).toEqual(
      uuidsOf([old, older, cut, next]),
    );
  });
});
