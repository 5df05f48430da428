import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../../database/run-database.ts';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import type { FoldSummary } from '../session-store.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const makeDirectory = temporaryDirectories();
const opened: RunDatabase[] = [];
let path: string;
beforeEach(() => {
  path = join(makeDirectory(), 'sessions.db');
});
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

const main = { projectKey: '-home-user-proj', sessionId: '0b1c' };
const agent = { ...main, subpath: 'subagents/agent-7' };
const mainKey = '-home-user-proj/0b1c';
const countRows: FoldSummary = (previous, key, entries) => ({
  sessionId: key.sessionId,
  mtime: 0,
  data: { rows: Number(previous?.data['rows'] ?? 0) + entries.length },
});

/** What a Python flower does to its file: one batch in one transaction. */
function pythonAppends(storeKey: string, mtime: number, payloads: readonly unknown[]): void {
  const file = new Database(path);
  file.exec(`
    CREATE TABLE IF NOT EXISTS entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT,
      payload TEXT NOT NULL, PRIMARY KEY (store_key, seq));
    CREATE UNIQUE INDEX IF NOT EXISTS entries_uid ON entries (store_key, uid)
      WHERE uid IS NOT NULL;
    CREATE TABLE IF NOT EXISTS meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL,
      next_seq INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL,
      mtime INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));
  `);
  const next = file.prepare<[string], number>('SELECT next_seq FROM meta WHERE store_key = ?');
  let sequence = next.pluck().get(storeKey) ?? 0;
  const insert = file.prepare('INSERT INTO entries VALUES (?, ?, ?, ?)');
  for (const payload of payloads) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const uid = (payload as { uuid?: string }).uuid ?? null;
    insert.run(storeKey, sequence, uid, text);
    sequence += 1;
  }
  file.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?, ?)').run(storeKey, mtime, sequence);
  file.close();
}

function pythonRows(): unknown[] {
  const file = new Database(path, { readonly: true });
  const rows = file.prepare('SELECT * FROM entries ORDER BY store_key, seq').all();
  file.close();
  return rows;
}

function openStore(): SqliteSessionStore {
  const database = openRunDatabase(path);
  opened.push(database);
  return new SqliteSessionStore(database, { foldSummary: countRows });
}

describe('taking over the rows of a Python flower', () => {
  it('brings conversations, subagents, order and times', async () => {
    pythonAppends(mainKey, 1000, [{ type: 'user', uuid: 'a' }, { type: 'mode' }]);
    pythonAppends(`${mainKey}/subagents/agent-7`, 2000, [{ type: 'user', uuid: 'x' }]);
    pythonAppends(mainKey, 3000, [{ type: 'assistant', uuid: 'b', text: '\ud800\u0000' }]);
    const store = openStore();
    expect(await store.load(main)).toEqual([
      { type: 'user', uuid: 'a' },
      { type: 'mode' },
      { type: 'assistant', uuid: 'b', text: '\ud800\u0000' },
    ]);
    expect(await store.load(agent)).toEqual([{ type: 'user', uuid: 'x' }]);
    expect(await store.listSubkeys(main)).toEqual(['subagents/agent-7']);
    expect(await store.hasSession(main.projectKey, main.sessionId)).toBe(true);
    expect(await store.listSessionSummaries(main.projectKey)).toEqual([
      { sessionId: '0b1c', mtime: 3000, data: { rows: 3 } },
    ]);
  });

  it('leaves the old tables as they are', () => {
    pythonAppends(mainKey, 1000, [{ type: 'user', uuid: 'a' }]);
    const before = pythonRows();
    openStore();
    expect(pythonRows()).toEqual(before);
  });

  it('happens once, rows without uuid included', async () => {
    pythonAppends(mainKey, 1000, [{ type: 'mode' }, { type: 'user', uuid: 'a' }]);
    const first = openStore();
    const before = [await first.load(main), await first.listSessions(main.projectKey)];
    const second = openStore();
    expect([await second.load(main), await second.listSessions(main.projectKey)]).toEqual(before);
  });

  it('brings what a Python flower added since, after our own rows', async () => {
    pythonAppends(mainKey, 1000, [{ type: 'mode' }]);
    await openStore().append(main, [{ type: 'user', uuid: 'ours' }]);
    pythonAppends(mainKey, 2000, [{ type: 'user', uuid: 'later' }, { type: 'mode' }]);
    expect(await openStore().load(main)).toEqual([
      { type: 'mode' },
      { type: 'user', uuid: 'ours' },
      { type: 'user', uuid: 'later' },
      { type: 'mode' },
    ]);
  });

  it('does not bring back what was deleted here', async () => {
    pythonAppends(mainKey, 1000, [{ type: 'user', uuid: 'a' }]);
    await openStore().delete(main);
    expect(await openStore().load(main)).toBeNull();
  });

  it('brings a stream that a Python flower deleted and began again', async () => {
    pythonAppends(mainKey, 1000, [
      { type: 'user', uuid: 'a' },
      { type: 'user', uuid: 'b' },
    ]);
    openStore();
    const file = new Database(path);
    file.exec('DELETE FROM entries; DELETE FROM meta');
    file.close();
    pythonAppends(mainKey, 2000, [{ type: 'user', uuid: 'c' }]);
    const rows = await openStore().load(main);
    expect(rows?.map((row) => row.uuid)).toEqual(['a', 'b', 'c']);
  });

  it.each<[string, unknown]>([
    ['broken JSON', '{"type": "user", "te'],
    ['no object', '[1]'],
    ['no type', '{"uuid": "z"}'],
  ])('passes over a row with %s', async (_what, payload) => {
    pythonAppends(mainKey, 1000, [{ type: 'user', uuid: 'a' }, payload]);
    pythonAppends('no-session', 1000, [{ type: 'user', uuid: 'a' }]);
    expect(await openStore().load(main)).toEqual([{ type: 'user', uuid: 'a' }]);
  });

  it("leaves tables of the same names alone that are somebody else's", async () => {
    const file = new Database(path);
    file.exec('CREATE TABLE entries (text); CREATE TABLE meta (key)');
    file.close();
    expect(await openStore().listSessions(main.projectKey)).toEqual([]);
  });
});
