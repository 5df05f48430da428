import { beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { agent, type Bench, main, response, state, user } from './bench.test-support.ts';

/** What happens to whole sessions: summaries, copies, deletion, what is known of them. */
export function describeSessions(bench: Bench): void {
  describe('summaries', () => {
    it('are folded from the new rows of main conversations, stamped as the list is', async () => {
      await bench.store.append(main, [user('a'), user('b')]);
      await bench.store.append(agent, [user('x')]);
      bench.nowMs += 1000;
      await bench.store.append(main, [user('b'), user('c'), { type: 'mode' }]);
      expect(await bench.store.listSessionSummaries(main.projectKey)).toEqual([
        { sessionId: main.sessionId, mtime: bench.nowMs, data: { uuids: ['a', 'b', 'c', null] } },
      ]);
      expect(await bench.store.listSessions(main.projectKey)).toEqual([
        { sessionId: main.sessionId, mtime: bench.nowMs },
      ]);
    });

    it('fail the append as a whole when the fold throws', async () => {
      const failing = await bench.makeStore({
        foldSummary: () => {
          throw new Error('no summary');
        },
      });
      await expect(failing.store.append(main, [user('a')])).rejects.toThrow('no summary');
      expect(await failing.store.load(main)).toBeNull();
      await failing.dispose();
    });

    it('do not exist without a fold', async () => {
      const plain = await bench.makeStore();
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
      await bench.store.append(main, [user('a'), plain, user('b', { parentUuid: 'a' })]);
      await bench.store.append(agent, [user('x', { isSidechain: true })]);
      await bench.store.copySession(main, 'copy');
      expect(await bench.store.load(copy)).toEqual([
        user('a', { sessionId: 'copy' }),
        plain,
        user('b', { parentUuid: 'a', sessionId: 'copy' }),
      ]);
      expect(await bench.store.load(agentCopy)).toEqual([
        user('x', { isSidechain: true, sessionId: 'copy' }),
      ]);
      expect(await bench.store.hasSession(main.projectKey, 'copy')).toBe(true);
      expect(await bench.store.listSessionSummaries(main.projectKey)).toHaveLength(2);
    });

    it('leaves the source as it was and grows apart from it', async () => {
      await bench.store.append(main, [user('a')]);
      await bench.store.copySession(main, 'copy');
      await bench.store.append(copy, [user('only here')]);
      expect(await bench.store.load(main)).toEqual([user('a')]);
      expect(await bench.store.load(copy)).toHaveLength(2);
    });

    it('changes nothing when it is repeated', async () => {
      await bench.store.append(main, [user('a'), { type: 'mode' }]);
      await bench.store.copySession(main, 'copy');
      const before = await state(bench.store);
      await bench.store.copySession(main, 'copy');
      expect(await state(bench.store)).toEqual(before);
      expect(await bench.store.load(copy)).toHaveLength(2);
    });

    it('makes nothing of an unknown session', async () => {
      await bench.store.copySession({ ...main, sessionId: 'unknown' }, 'copy');
      expect(await bench.store.load(copy)).toBeNull();
    });
  });

  describe('delete', () => {
    beforeEach(async () => {
      await bench.store.append(main, [user('a')]);
      await bench.store.append(agent, [user('x')]);
      await bench.store.append({ ...main, sessionId: 'other' }, [user('o')]);
    });

    it('removes a conversation with its subagents and its summary', async () => {
      await bench.store.delete(main);
      expect(await bench.store.load(main)).toBeNull();
      expect(await bench.store.load(agent)).toBeNull();
      expect(await bench.store.listSubkeys(main)).toEqual([]);
      expect(await bench.store.hasSession(main.projectKey, main.sessionId)).toBe(false);
      const summaries = await bench.store.listSessionSummaries(main.projectKey);
      expect(summaries.map((summary) => summary.sessionId)).toEqual(['other']);
    });

    it('removes one subagent alone', async () => {
      await bench.store.delete(agent);
      expect(await bench.store.load(agent)).toBeNull();
      expect(await bench.store.load(main)).toEqual([user('a')]);
    });

    it('lets the same rows be written again, from 0', async () => {
      await bench.store.delete(main);
      await bench.store.append(main, [user('a')]);
      expect(await bench.store.loadFrom(main, 0)).toEqual([{ sequence: 0, entry: user('a') }]);
    });
  });

  describe('hasSession', () => {
    it.each<[boolean, string, TranscriptEntry[]]>([
      [false, 'metadata alone', [{ type: 'mode' }, { type: 'file-history-snapshot' }]],
      [true, 'a user row', [{ type: 'mode' }, user('a')]],
      [true, 'an assistant row', [response('a', {})]],
    ])('is %s for %s', async (expected, _what, entries) => {
      await bench.store.append(main, entries);
      expect(await bench.store.hasSession(main.projectKey, main.sessionId)).toBe(expected);
    });

    it('is false for a session of subagent rows alone', async () => {
      await bench.store.append(agent, [user('a')]);
      expect(await bench.store.hasSession(main.projectKey, main.sessionId)).toBe(false);
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
      await bench.store.append(main, [response('a', { input_tokens: 9 }), response('b', full)]);
      await bench.store.append(main, [user('c'), { type: 'mode' }]);
      expect(await bench.store.lastContext(main.projectKey, main.sessionId)).toBe(5203);
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
      await bench.store.append(main, [response('a', { input_tokens: 9 }), entry]);
      expect(await bench.store.lastContext(main.projectKey, main.sessionId)).toBe(9);
    });

    it('looks back over as many rows as it is told, 60 by default', async () => {
      const gap = Array.from({ length: 59 }, (_, index) => user(`gap-${index}`));
      const context = (scan?: number): Promise<number> =>
        bench.store.lastContext(main.projectKey, main.sessionId, scan);
      await bench.store.append(main, [response('a', { input_tokens: 9 }), ...gap]);
      expect([await context(), await context(59), await context(60)]).toEqual([9, 0, 9]);
      await bench.store.append(main, [user('one more')]);
      expect([await context(), await context(61)]).toEqual([0, 9]);
    });

    it('is 0 for an unknown session and for subagent rows', async () => {
      await bench.store.append(agent, [response('a', full)]);
      expect(await bench.store.lastContext(main.projectKey, main.sessionId)).toBe(0);
    });
  });

  it('refuses work once it is closed', async () => {
    bench.store.close();
    await expect(bench.store.load(main)).rejects.toThrow('closed');
    await expect(bench.store.append(main, [user('a')])).rejects.toThrow('closed');
  });
}
