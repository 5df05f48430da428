import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../transcript/entry.ts';
import type { FoldSummary, SessionKey, SessionStore } from './session-store.ts';
import { describeStoreModel } from './store-model-conformance.ts';

/** What the suite needs from the store that it makes. */
export interface StoreOptions {
  readonly foldSummary?: FoldSummary;
  /** Wall clock in epoch milliseconds. */
  readonly now?: () => number;
}

/** A store on empty storage of its own. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Closes the store and opens another on the same storage, as a new process would. */
  reopen(): Promise<StoreUnderTest>;
  /** Closes the store and removes its storage. */
  dispose(): Promise<void>;
}

/** Makes a store on storage that no other call has seen. */
export type MakeStore = (options?: StoreOptions) => Promise<StoreUnderTest>;

const main: SessionKey = { projectKey: '-home-user-project', sessionId: 'session-1' };
const agent: SessionKey = { ...main, subpath: 'subagents/agent-a1' };

const user = (uuid: string, fields: object = {}): TranscriptEntry => ({
  type: 'user',
  uuid,
  sessionId: main.sessionId,
  ...fields,
});

const response = (uuid: string, usage: object, fields: object = {}): TranscriptEntry => ({
  type: 'assistant',
  uuid,
  message: { id: `message-${uuid}`, model: 'claude-test', usage },
  ...fields,
});

/** Lists every uuid that it was given, to show what was folded and when. */
const listUuids: FoldSummary = (previous, key, entries) => ({
  sessionId: key.sessionId,
  mtime: 0,
  data: {
    uuids: [
      ...((previous?.data['uuids'] as unknown[] | undefined) ?? []),
      ...entries.map((entry) => entry.uuid ?? null),
    ],
  },
});

/**
 * The behaviour of every `SessionStore`, as tests.
 *
 * @param name - Of the store, for the test titles.
 */
export function describeSessionStore(name: string, makeStore: MakeStore): void {
  describe(`${name} as a session store`, () => {
    let subject: StoreUnderTest;
    let store: SessionStore;
    let nowMs: number;

    const reopen = async (): Promise<void> => {
      subject = await subject.reopen();
      store = subject.store;
    };

    beforeEach(async () => {
      nowMs = 1_700_000_000_000;
      subject = await makeStore({ foldSummary: listUuids, now: () => nowMs });
      store = subject.store;
    });
    afterEach(() => subject.dispose());

    describe('append and load', () => {
      it('returns the rows of several calls in order', async () => {
        await store.append(main, [user('a'), user('b')]);
        await store.append(main, [user('c')]);
        expect(await store.load(main)).toEqual([user('a'), user('b'), user('c')]);
      });

      it('keeps the call order of calls that nobody awaited', async () => {
        const names = Array.from({ length: 20 }, (_, index) => `row-${index}`);
        await Promise.all(names.map((uuid) => store.append(main, [user(uuid)])));
        expect((await store.load(main))?.map((entry) => entry.uuid)).toEqual(names);
      });

      it('has its rows after it was opened again', async () => {
        await store.append(main, [user('a'), { type: 'summary' }]);
        await reopen();
        expect(await store.load(main)).toEqual([user('a'), { type: 'summary' }]);
      });

      it.each<[string, SessionKey]>([
        ['session', { ...main, sessionId: 'session-2' }],
        ['project', { ...main, projectKey: 'other' }],
        ['subpath', agent],
      ])('answers null for a %s that was never written', async (_what, key) => {
        await store.append(main, [user('a')]);
        expect(await store.load(key)).toBeNull();
      });

      it('takes an empty batch for nothing', async () => {
        await store.append(main, []);
        expect(await store.load(main)).toBeNull();
        expect(await store.listSessions(main.projectKey)).toEqual([]);
      });

      it('keeps streams apart that share uuids', async () => {
        await store.append(main, [user('a')]);
        await store.append(agent, [user('a', { isSidechain: true })]);
        expect(await store.load(main)).toEqual([user('a')]);
        expect(await store.load(agent)).toEqual([user('a', { isSidechain: true })]);
      });

      it.each<[string, unknown]>([
        ['a lone surrogate', 'cut \ud83d here'],
        ['NUL characters', 'before\u0000after\u0000'],
        ['line separators', '\u2028\u2029\r\n'],
        ['nesting and numbers', { a: [1, -2.5e-7, null, { b: true, '': [] }], 'k\u0000': 1 }],
        ['a megabyte', 'x'.repeat(1_000_000)],
      ])('gives back %s as it was', async (_what, value) => {
        const entry = { type: 'user', uuid: 'a', value };
        await store.append(main, [entry]);
        await reopen();
        expect(await store.load(main)).toEqual([entry]);
      });
    });

    describe('idempotence', () => {
      it('stores a uuid once in a batch and over batches, as it came first', async () => {
        await store.append(main, [user('a', { n: 1 }), user('a', { n: 2 })]);
        await store.append(main, [user('b'), user('a', { n: 3 }), user('c')]);
        expect(await store.load(main)).toEqual([user('a', { n: 1 }), user('b'), user('c')]);
      });

      it('tells uuids apart that differ in a lone surrogate only', async () => {
        await store.append(main, [user('\ud800'), user('\ud801')]);
        expect(await store.load(main)).toHaveLength(2);
      });

      it('stores rows without uuid every time', async () => {
        const rows = [{ type: 'mode' }, { type: 'mode' }, { type: 'mode', uuid: '' }];
        await store.append(main, rows);
        await store.append(main, rows);
        expect(await store.load(main)).toEqual([...rows, ...rows]);
      });

      it('changes neither time nor summary by a batch that it knows whole', async () => {
        await store.append(main, [user('a'), user('b')]);
        const before = await state(store);
        nowMs += 5000;
        await store.append(main, [user('b'), user('a')]);
        expect(await state(store)).toEqual(before);
      });
    });

    describe('sequence', () => {
      it('counts each stream from 0, without the rows that were known', async () => {
        expect(await store.nextSequence(main)).toBe(0);
        await store.append(main, [user('a'), user('a'), user('b')]);
        await store.append(agent, [user('x')]);
        expect(await store.nextSequence(main)).toBe(2);
        expect(await store.nextSequence(agent)).toBe(1);
      });

      it('loads from a place on', async () => {
        await store.append(main, [user('a'), user('b'), user('c')]);
        expect(await store.loadFrom(main, 1)).toEqual([
          { sequence: 1, entry: user('b') },
          { sequence: 2, entry: user('c') },
        ]);
        expect(await store.loadFrom(main, 3)).toEqual([]);
        expect(await store.loadFrom(agent, 0)).toEqual([]);
      });
    });

    describe('listing', () => {
      it('lists main conversations of the project only', async () => {
        await store.append(main, [user('a')]);
        await store.append(agent, [user('b')]);
        await store.append({ ...main, projectKey: 'other' }, [user('c')]);
        const sessions = await store.listSessions(main.projectKey);
        expect(sessions).toEqual([{ sessionId: main.sessionId, mtime: nowMs }]);
      });

      it('lists subpaths in the order of their first write', async () => {
        const paths = ['subagents/agent-z', 'subagents/agent-a', 'deep/er/one'];
        for (const subpath of paths) await store.append({ ...main, subpath }, [user('a')]);
        await store.append({ ...main, subpath: 'subagents/agent-z' }, [user('b')]);
        await store.append({ ...main, sessionId: 'session-2', subpath: 'x' }, [user('a')]);
        expect(await store.listSubkeys(main)).toEqual(paths);
      });

      it('gives every write a later time, whatever the clock does', async () => {
        const times: number[] = [];
        for (const step of [0, 0, -60_000, 1, 5000]) {
          nowMs += step;
          const key = { ...main, sessionId: `session-${times.length % 2}` };
          await store.append(key, [user(`row-${times.length}`)]);
          const [latest] = await store.listSessions(main.projectKey).then(latestFirst);
          expect(latest?.sessionId).toBe(key.sessionId);
          times.push(latest?.mtime ?? 0);
          await reopen();
        }
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      });
    });

    describe('summaries', () => {
      it('are folded from the new rows of main conversations, stamped as the list is', async () => {
        await store.append(main, [user('a'), user('b')]);
        await store.append(agent, [user('x')]);
        nowMs += 1000;
        await store.append(main, [user('b'), user('c'), { type: 'mode' }]);
        expect(await store.listSessionSummaries(main.projectKey)).toEqual([
          { sessionId: main.sessionId, mtime: nowMs, data: { uuids: ['a', 'b', 'c', null] } },
        ]);
        expect(await store.listSessions(main.projectKey)).toEqual([
          { sessionId: main.sessionId, mtime: nowMs },
        ]);
      });

      it('fail the append as a whole when the fold throws', async () => {
        const failing = await makeStore({
          foldSummary: () => {
            throw new Error('no summary');
          },
        });
        await expect(failing.store.append(main, [user('a')])).rejects.toThrow('no summary');
        expect(await failing.store.load(main)).toBeNull();
        await failing.dispose();
      });

      it('do not exist without a fold', async () => {
        const plain = await makeStore();
        await plain.store.append(main, [user('a')]);
        expect(await plain.store.listSessionSummaries(main.projectKey)).toEqual([]);
        await plain.dispose();
      });
    });

    describe('copySession', () => {
      const copy = { ...main, sessionId: 'copy' };
      const agentCopy = { ...copy, subpath: 'subagents/agent-a1' };

      it('copies all streams under the new id and keeps uuids', async () => {
        const plain = { type: 'mode', value: 1 };
        await store.append(main, [user('a'), plain, user('b', { parentUuid: 'a' })]);
        await store.append(agent, [user('x', { isSidechain: true })]);
        await store.copySession(main, 'copy');
        expect(await store.load(copy)).toEqual([
          user('a', { sessionId: 'copy' }),
          plain,
          user('b', { parentUuid: 'a', sessionId: 'copy' }),
        ]);
        expect(await store.load(agentCopy)).toEqual([
          user('x', { isSidechain: true, sessionId: 'copy' }),
        ]);
        expect(await store.hasSession(main.projectKey, 'copy')).toBe(true);
        expect(await store.listSessionSummaries(main.projectKey)).toHaveLength(2);
      });

      it('leaves the source as it was and grows apart from it', async () => {
        await store.append(main, [user('a')]);
        await store.copySession(main, 'copy');
        await store.append(copy, [user('only here')]);
        expect(await store.load(main)).toEqual([user('a')]);
        expect(await store.load(copy)).toHaveLength(2);
      });

      it('changes nothing when it is repeated', async () => {
        await store.append(main, [user('a'), { type: 'mode' }]);
        await store.copySession(main, 'copy');
        const before = await state(store);
        await store.copySession(main, 'copy');
        expect(await state(store)).toEqual(before);
        expect(await store.load(copy)).toHaveLength(2);
      });

      it('makes nothing of an unknown session', async () => {
        await store.copySession({ ...main, sessionId: 'unknown' }, 'copy');
        expect(await store.load(copy)).toBeNull();
      });
    });

    describe('delete', () => {
      beforeEach(async () => {
        await store.append(main, [user('a')]);
        await store.append(agent, [user('x')]);
        await store.append({ ...main, sessionId: 'other' }, [user('o')]);
      });

      it('removes a conversation with its subagents and its summary', async () => {
        await store.delete(main);
        expect(await store.load(main)).toBeNull();
        expect(await store.load(agent)).toBeNull();
        expect(await store.listSubkeys(main)).toEqual([]);
        expect(await store.hasSession(main.projectKey, main.sessionId)).toBe(false);
        const summaries = await store.listSessionSummaries(main.projectKey);
        expect(summaries.map((summary) => summary.sessionId)).toEqual(['other']);
      });

      it('removes one subagent alone', async () => {
        await store.delete(agent);
        expect(await store.load(agent)).toBeNull();
        expect(await store.load(main)).toEqual([user('a')]);
      });

      it('lets the same rows be written again, from 0', async () => {
        await store.delete(main);
        await store.append(main, [user('a')]);
        expect(await store.loadFrom(main, 0)).toEqual([{ sequence: 0, entry: user('a') }]);
      });
    });

    describe('hasSession', () => {
      it.each<[boolean, string, TranscriptEntry[]]>([
        [false, 'metadata alone', [{ type: 'mode' }, { type: 'file-history-snapshot' }]],
        [true, 'a user row', [{ type: 'mode' }, user('a')]],
        [true, 'an assistant row', [response('a', {})]],
      ])('is %s for %s', async (expected, _what, entries) => {
        await store.append(main, entries);
        expect(await store.hasSession(main.projectKey, main.sessionId)).toBe(expected);
      });

      it('is false for a session of subagent rows alone', async () => {
        await store.append(agent, [user('a')]);
        expect(await store.hasSession(main.projectKey, main.sessionId)).toBe(false);
      });
    });

    describe('lastContext', () => {
      const full = {
        input_tokens: 3,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 5000,
        output_tokens: 70_000,
      };

      it('adds input, cache read and cache write of the last response', async () => {
        await store.append(main, [response('a', { input_tokens: 9 }), response('b', full)]);
        await store.append(main, [user('c'), { type: 'mode' }]);
        expect(await store.lastContext(main.projectKey, main.sessionId)).toBe(5203);
      });

      it.each<[string, TranscriptEntry]>([
        [
          'synthetic messages',
          response('z', full, { message: { model: '<synthetic>', usage: full } }),
        ],
        ['responses without tokens', response('z', { input_tokens: 0, output_tokens: 5 })],
        ['sidechains', response('z', full, { isSidechain: true })],
        ['rows without usage', response('z', full, { message: { model: 'm' } })],
        ['user rows', user('z', { message: { usage: full } })],
      ])('passes over %s', async (_what, entry) => {
        await store.append(main, [response('a', { input_tokens: 9 }), entry]);
        expect(await store.lastContext(main.projectKey, main.sessionId)).toBe(9);
      });

      it('looks back over as many rows as it is told, 60 by default', async () => {
        const gap = Array.from({ length: 59 }, (_, index) => user(`gap-${index}`));
        const context = (scan?: number): Promise<number> =>
          store.lastContext(main.projectKey, main.sessionId, scan);
        await store.append(main, [response('a', { input_tokens: 9 }), ...gap]);
        expect([await context(), await context(59), await context(60)]).toEqual([9, 0, 9]);
        await store.append(main, [user('one more')]);
        expect([await context(), await context(61)]).toEqual([0, 9]);
      });

      it('is 0 for an unknown session and for subagent rows', async () => {
        await store.append(agent, [response('a', full)]);
        expect(await store.lastContext(main.projectKey, main.sessionId)).toBe(0);
      });
    });

    it('refuses work once it is closed', async () => {
      store.close();
      await expect(store.load(main)).rejects.toThrow('closed');
      await expect(store.append(main, [user('a')])).rejects.toThrow('closed');
    });
  });
  describeStoreModel(name, makeStore);
}

async function state(store: SessionStore): Promise<unknown[]> {
  return [
    await store.listSessions(main.projectKey),
    await store.listSessionSummaries(main.projectKey),
    await store.load(main),
    await store.nextSequence(main),
  ];
}

function latestFirst<Item extends { mtime: number }>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => b.mtime - a.mtime);
}
