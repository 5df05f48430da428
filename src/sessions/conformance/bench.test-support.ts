import type { TranscriptEntry } from '../../transcript/entry.ts';
import type { FoldSummary, SessionKey, SessionStore } from '../session-store.ts';

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

/** The store of the running test, with a clock that the test moves. */
export interface Bench {
  readonly store: SessionStore;
  nowMs: number;
  reopen(): Promise<void>;
  readonly makeStore: MakeStore;
}

/** The main conversation that the tests write. */
export const main: SessionKey = { projectKey: '-home-user-project', sessionId: 'session-1' };

/** A subagent of {@link main}. */
export const agent: SessionKey = { ...main, subpath: 'subagents/agent-a1' };

/** A row of the user in {@link main}. */
export function user(uuid: string, fields: object = {}): TranscriptEntry {
  return { type: 'user', uuid, sessionId: main.sessionId, ...fields };
}

/** A model's response with its token counts. */
export function response(uuid: string, usage: object, fields: object = {}): TranscriptEntry {
  const message = { id: `message-${uuid}`, model: 'claude-test', usage };
  return { type: 'assistant', uuid, message, ...fields };
}

/** Everything that a replay must leave as it was. */
export async function state(store: SessionStore): Promise<unknown[]> {
  return [
    await store.listSessions(main.projectKey),
    await store.listSessionSummaries(main.projectKey),
    await store.load(main),
    await store.nextSequence(main),
  ];
}
