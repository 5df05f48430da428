import { afterEach, beforeEach, describe } from 'vitest';
import type { FoldSummary } from '../session-store.ts';
import type { Bench, MakeStore, StoreUnderTest } from './bench.test-support.ts';
import { describeModel } from './model.test-support.ts';
import { describeRows } from './rows.test-support.ts';
import { describeSessions } from './sessions.test-support.ts';

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
    const bench: Bench = {
      get store() {
        return subject.store;
      },
      nowMs: 0,
      reopen: async () => {
        subject = await subject.reopen();
      },
      makeStore,
    };

    beforeEach(async () => {
      bench.nowMs = 1_700_000_000_000;
      subject = await makeStore({ foldSummary: listUuids, now: () => bench.nowMs });
    });
    afterEach(() => subject.dispose());

    describeRows(bench);
    describeSessions(bench);
    describeModel(makeStore);
  });
}
