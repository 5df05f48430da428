import { describe, expect, it } from 'vitest';
import type { SessionKey } from '../session-store.ts';
import { agent, type Bench, main, state, user } from './bench.test-support.ts';

/** What happens to rows: order, identity, places, listing. */
export function describeRows(bench: Bench): void {
  describe('append and load', () => {
    it('returns the rows of several calls in order', async () => {
      await bench.store.append(main, [user('a'), user('b')]);
      await bench.store.append(main, [user('c')]);
      expect(await bench.store.load(main)).toEqual([user('a'), user('b'), user('c')]);
    });

    it('keeps the call order of calls that nobody awaited', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `row-${index}`);
      await Promise.all(names.map((uuid) => bench.store.append(main, [user(uuid)])));
      expect((await bench.store.load(main))?.map((entry) => entry.uuid)).toEqual(names);
    });

    it('has its rows after it was opened again', async () => {
      await bench.store.append(main, [user('a'), { type: 'summary' }]);
      await bench.reopen();
      expect(await bench.store.load(main)).toEqual([user('a'), { type: 'summary' }]);
    });

    it.each<[string, SessionKey]>([
      ['session', { ...main, sessionId: 'session-2' }],
      ['project', { ...main, projectKey: 'other' }],
      ['subpath', agent],
    ])('answers null for a %s that was never written', async (_what, key) => {
      await bench.store.append(main, [user('a')]);
      expect(await bench.store.load(key)).toBeNull();
    });

    it('takes an empty batch for nothing', async () => {
      await bench.store.append(main, []);
      expect(await bench.store.load(main)).toBeNull();
      expect(await bench.store.listSessions(main.projectKey)).toEqual([]);
    });

    it('keeps streams apart that share uuids', async () => {
      await bench.store.append(main, [user('a')]);
      await bench.store.append(agent, [user('a', { isSidechain: true })]);
      expect(await bench.store.load(main)).toEqual([user('a')]);
      expect(await bench.store.load(agent)).toEqual([user('a', { isSidechain: true })]);
    });

    it.each<[string, unknown]>([
      ['a lone surrogate', 'cut \ud83d here'],
      ['NUL characters', 'before\u0000after\u0000'],
      ['line separators', '\u2028\u2029\r\n'],
      ['nesting and numbers', { a: [1, -2.5e-7, null, { b: true, '': [] }], 'k\u0000': 1 }],
      ['a megabyte', 'x'.repeat(1_000_000)],
    ])('gives back %s as it was', async (_what, value) => {
      const entry = { type: 'user', uuid: 'a', value };
      await bench.store.append(main, [entry]);
      await bench.reopen();
      expect(await bench.store.load(main)).toEqual([entry]);
    });
  });

  describe('idempotence', () => {
    it('stores a uuid once in a batch and over batches, as it came first', async () => {
      await bench.store.append(main, [user('a', { n: 1 }), user('a', { n: 2 })]);
      await bench.store.append(main, [user('b'), user('a', { n: 3 }), user('c')]);
      expect(await bench.store.load(main)).toEqual([user('a', { n: 1 }), user('b'), user('c')]);
    });

    it('tells uuids apart that differ in a lone surrogate only', async () => {
      await bench.store.append(main, [user('\ud800'), user('\ud801')]);
      expect(await bench.store.load(main)).toHaveLength(2);
    });

    it('stores rows without uuid every time', async () => {
      const rows = [{ type: 'mode' }, { type: 'mode' }, { type: 'mode', uuid: '' }];
      await bench.store.append(main, rows);
      await bench.store.append(main, rows);
      expect(await bench.store.load(main)).toEqual([...rows, ...rows]);
    });

    it('changes neither time nor summary by a batch that it knows whole', async () => {
      await bench.store.append(main, [user('a'), user('b')]);
      const before = await state(bench.store);
      bench.nowMs += 5000;
      await bench.store.append(main, [user('b'), user('a')]);
      expect(await state(bench.store)).toEqual(before);
    });
  });

  describe('sequence', () => {
    it('counts each stream from 0, without the rows that were known', async () => {
      expect(await bench.store.nextSequence(main)).toBe(0);
      await bench.store.append(main, [user('a'), user('a'), user('b')]);
      await bench.store.append(agent, [user('x')]);
      expect(await bench.store.nextSequence(main)).toBe(2);
      expect(await bench.store.nextSequence(agent)).toBe(1);
    });

    it('loads from a place on', async () => {
      await bench.store.append(main, [user('a'), user('b'), user('c')]);
      expect(await bench.store.loadFrom(main, 1)).toEqual([
        { sequence: 1, entry: user('b') },
        { sequence: 2, entry: user('c') },
      ]);
      expect(await bench.store.loadFrom(main, 3)).toEqual([]);
      expect(await bench.store.loadFrom(agent, 0)).toEqual([]);
    });
  });

  describe('listing', () => {
    it('lists main conversations of the project only', async () => {
      await bench.store.append(main, [user('a')]);
      await bench.store.append(agent, [user('b')]);
      await bench.store.append({ ...main, projectKey: 'other' }, [user('c')]);
      const sessions = await bench.store.listSessions(main.projectKey);
      expect(sessions).toEqual([{ sessionId: main.sessionId, mtime: bench.nowMs }]);
    });

    it('lists subpaths in the order of their first write', async () => {
      const paths = ['subagents/agent-z', 'subagents/agent-a', 'deep/er/one'];
      for (const subpath of paths) await bench.store.append({ ...main, subpath }, [user('a')]);
      await bench.store.append({ ...main, subpath: 'subagents/agent-z' }, [user('b')]);
      await bench.store.append({ ...main, sessionId: 'session-2', subpath: 'x' }, [user('a')]);
      expect(await bench.store.listSubkeys(main)).toEqual(paths);
    });

    it('gives every write a later time, whatever the clock does', async () => {
      const times: number[] = [];
      for (const step of [0, 0, -60_000, 1, 5000]) {
        bench.nowMs += step;
        const key = { ...main, sessionId: `session-${times.length % 2}` };
        await bench.store.append(key, [user(`row-${times.length}`)]);
        const [latest] = await bench.store.listSessions(main.projectKey).then(latestFirst);
        expect(latest?.sessionId).toBe(key.sessionId);
        times.push(latest?.mtime ?? 0);
        await bench.reopen();
      }
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    });
  });
}

function latestFirst<Item extends { mtime: number }>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => b.mtime - a.mtime);
}
