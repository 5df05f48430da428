import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import { assistant, user } from '../transcript/fixtures/rows.ts';
import { SessionMirror } from './session-mirror.ts';

const temporaryDirectory = temporaryDirectories();
const key = { projectKey: 'p', sessionId: 's' };
let database: RunDatabase;
let store: SqliteSessionStore;
let told: string[];
let mirror: SessionMirror;

beforeEach(() => {
  database = openRunDatabase(join(temporaryDirectory(), 'sessions.db'));
  store = new SqliteSessionStore(database);
  told = [];
  mirror = new SessionMirror(store, {
    onFirstRecord: () => told.push('record'),
    onUsage: ({ messageId }, subpath) => told.push(`usage ${messageId} ${subpath ?? 'main'}`),
  });
});

afterEach(() => {
  vi.useRealTimers();
  database.close();
});

function response(
  id: string,
  output: number,
  content: readonly object[] = [],
): ReturnType<typeof user> {
  const usage = { input_tokens: 10, output_tokens: output };
  return assistant(undefined, [...content] as Record<string, unknown>[], { id, usage });
}

describe('SessionMirror', () => {
  it('stores rows before append resolves and tells the first record once', async () => {
    await mirror.append(key, [{ type: 'queue-operation' }]);
    expect(told).toEqual([]);
    const prompt = user(undefined, 'Go.');
    await mirror.append(key, [prompt]);
    await mirror.append(key, [user(prompt, 'More.')]);
    expect(told).toEqual(['record']);
    expect(mirror.rows).toBe(3);
    expect(await store.load(key)).toHaveLength(3);
  });

  it('counts each response once, by the last usage of its rows', async () => {
    await mirror.append(key, [response('msg_1', 1), response('msg_1', 50), response('msg_2', 5)]);
    await mirror.append({ ...key, subpath: 'subagents/agent-a' }, [response('msg_3', 7)]);
    expect(told).toEqual([
      'record',
      'usage msg_1 main',
      'usage msg_2 main',
      'usage msg_3 subagents/agent-a',
    ]);
    expect(mirror.tokens).toEqual({
      'claude-sonnet-4-5': {
        inputTokens: 30,
        outputTokens: 62,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      },
    });
  });

  it('counts rows that came on another way', () => {
    mirror.note(response('msg_1', 5), undefined);
    expect(mirror.rows).toBe(1);
    expect(told).toEqual(['record', 'usage msg_1 main']);
  });

  it('answers null to load: the local file is what is resumed', async () => {
    await mirror.append(key, [user(undefined, 'Go.')]);
    expect(await mirror.asSdkStore().load(key)).toBeNull();
  });

  it('passes a failing store on to the SDK, and counts nothing', async () => {
    store.close();
    await expect(mirror.append(key, [user(undefined, 'Go.')])).rejects.toThrow('closed');
    expect(told).toEqual([]);
    expect(mirror.rows).toBe(0);
  });
});

describe('untilDurable', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };

  it('is true at once for a call whose row is there', async () => {
    await mirror.append(key, [response('msg_1', 1, [call])]);
    expect(await mirror.untilDurable('toolu_1', 0)).toBe(true);
  });

  it('is true as soon as the row comes', async () => {
    const waiting = mirror.untilDurable('toolu_1', 60_000);
    await mirror.append(key, [response('msg_1', 1, [call])]);
    expect(await waiting).toBe(true);
  });

  it('is false when the time is over', async () => {
    vi.useFakeTimers();
    const waiting = mirror.untilDurable('toolu_1', 2_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toBe(false);
  });
});
