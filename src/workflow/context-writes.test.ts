import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextWrites, snapshotContext } from './context-writes.ts';
import { isStorable } from './storable.ts';

describe('isStorable', () => {
  it('a storable value comes back from JSON as it was', () => {
    fc.assert(
      fc.property(
        fc.anything({ withSparseArray: true, withDate: true, withMap: true }),
        (value) => {
          if (isStorable(value)) expect(JSON.parse(JSON.stringify(value)) ?? null).toEqual(value);
        },
      ),
    );
  });

  it('every JSON value is storable', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isStorable(value)));
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const shared = { a: 1 };
  it.each<[string, unknown, boolean]>([
    ['a cycle', cycle, false],
    ['one object at two places', [shared, shared], true],
    ['undefined', undefined, false],
    ['undefined inside', { a: undefined }, false],
    ['a hole', Array(1), false],
    ['Infinity', [Number.POSITIVE_INFINITY], false],
    ['a bigint', 1n, false],
    ['a class instance', new (class Own {})(), false],
    ['toJSON', { toJSON: () => 'other' }, false],
    ['an object without a prototype', Object.create(null), true],
  ])('%s', (_, value, expected) => {
    expect(isStorable(value)).toBe(expected);
  });
});

describe('contextWrites', () => {
  const write = (
    ctx: Record<string, unknown>,
    change: () => void,
  ): ReturnType<typeof contextWrites> => {
    const before = snapshotContext(ctx);
    change();
    return contextWrites(ctx, before);
  };

  it('holds new keys, changed values and changes inside a value', () => {
    const ctx: Record<string, unknown> = { same: 1, old: 1, deep: { list: [1] }, kept: { a: 1 } };
    const { values, unstorable } = write(ctx, () => {
      ctx['fresh'] = 'x';
      ctx['old'] = 2;
      (ctx['deep'] as { list: number[] }).list.push(2);
    });
    expect(values).toEqual({ fresh: 'x', old: 2, deep: { list: [1, 2] } });
    expect(unstorable).toEqual([]);
  });

  it('tells each write once', () => {
    const ctx: Record<string, unknown> = { list: [1] };
    const before = snapshotContext(ctx);
    ctx['one'] = undefined;
    (ctx['list'] as number[]).push(2);
    contextWrites(ctx, before);
    expect(contextWrites(ctx, before)).toEqual({ values: {}, unstorable: [] });
    (ctx['list'] as number[]).push(3);
    expect(contextWrites(ctx, before).values).toEqual({ list: [1, 2, 3] });
  });

  it('leaves out the keys of the run', () => {
    const ctx: Record<string, unknown> = {};
    const { values } = write(ctx, () => {
      ctx['_results'] = { one: 1 };
      ctx['_sessions'] = { one: 'x' };
      ctx['_brief'] = { goal: 'ours' };
    });
    expect(values).toEqual({ _brief: { goal: 'ours' } });
  });

  it('names what cannot be stored', () => {
    const client = new Map();
    const ctx: Record<string, unknown> = { client };
    const { values, unstorable } = write(ctx, () => {
      ctx['when'] = new Date(0);
      ctx['client'] = client;
    });
    expect(values).toEqual({});
    expect(unstorable).toEqual(['when']);
  });
});
