import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../../database/run-database.ts';
import {
  endForkedScripts,
  forkReadyScripts,
  forkScript,
} from '../../files/__fixtures__/fork-script.ts';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import type { StoreOptions, StoreUnderTest } from '../conformance/bench.test-support.ts';
import { describeSessionStore } from '../conformance/describe-session-store.test-support.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const makeDirectory = temporaryDirectories();
const opened: RunDatabase[] = [];
afterEach(() => {
  endForkedScripts();
  for (const database of opened.splice(0)) database.close();
});

function openStore(path: string, options: StoreOptions): StoreUnderTest {
  const database = openRunDatabase(path);
  const store = new SqliteSessionStore(database, options);
  const close = (): void => {
    store.close();
    database.close();
  };
  return {
    store,
    reopen: async () => {
      close();
      return openStore(path, options);
    },
    dispose: async () => {
      close();
    },
  };
}

describeSessionStore('SqliteSessionStore', async (options = {}) =>
  openStore(join(makeDirectory(), 'sessions.db'), options),
);

const appendRows = new URL('./__fixtures__/append-rows.ts', import.meta.url);
const shared = { projectKey: 'p', sessionId: 'shared' };

function open(path: string, busyTimeoutMs = 10_000): RunDatabase {
  const database = openRunDatabase(path, { busyTimeoutMs });
  opened.push(database);
  return database;
}

describe('SqliteSessionStore between processes', () => {
  it('keeps every row of eight processes that append at once, each in its order', async () => {
    const path = join(makeDirectory(), 'sessions.db');
    const names = Array.from({ length: 8 }, (_, index) => `writer${index}`);
    const lists = names.map((name) => [path, name, '25']);
    const { children } = await forkReadyScripts(appendRows, lists);
    for (const child of children) child.send('go');
    await Promise.all(children.map((child) => child.finished()));
    const rows = await new SqliteSessionStore(open(path)).loadFrom(shared, 0);
    expect(rows.map((row) => row.sequence)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    for (const name of names) {
      const own = rows.map((row) => row.entry.uuid).filter((uuid) => uuid?.startsWith(`${name}-`));
      expect(own).toEqual(Array.from({ length: 25 }, (_, index) => `${name}-${index}`));
    }
  }, 60_000);

  it('has every acknowledged row after kill -9 of the writer', async () => {
    const path = join(makeDirectory(), 'sessions.db');
    for (const round of [1, 2, 3]) {
      const child = forkScript(appendRows, path, `round${round}`, '100000');
      await child.next();
      child.send('go');
      let acknowledged = -1;
      while (acknowledged < 10 * round) acknowledged = Number(await child.next());
      await child.kill9();
      const database = openRunDatabase(path);
      const rows = (await new SqliteSessionStore(database).load(shared)) ?? [];
      database.close();
      const stored = rows.filter((row) => row.uuid?.startsWith(`round${round}-`)).length;
      expect(stored).toBeGreaterThan(acknowledged);
    }
  }, 60_000);

  it('waits out a lock that outlasts the busy timeout, and keeps the order', async () => {
    const path = join(makeDirectory(), 'sessions.db');
    const other = open(path);
    const store = new SqliteSessionStore(open(path, 20));
    other.connection.exec('BEGIN IMMEDIATE');
    const first = store.append(shared, [{ type: 'user', uuid: 'a' }]);
    // The first try has failed by now; the second append may not overtake its next one.
    await new Promise(setImmediate);
    other.connection.exec('COMMIT');
    const second = store.append(shared, [{ type: 'user', uuid: 'b' }]);
    await Promise.all([first, second]);
    expect((await store.load(shared))?.map((row) => row.uuid)).toEqual(['a', 'b']);
  });

  it('gives up on a lock that stays, and works again when it is gone', async () => {
    const path = join(makeDirectory(), 'sessions.db');
    const other = open(path);
    const store = new SqliteSessionStore(open(path, 20));
    other.connection.exec('BEGIN IMMEDIATE');
    const refused = store.append(shared, [{ type: 'user', uuid: 'a' }]);
    await expect(refused).rejects.toThrow('database is locked');
    other.connection.exec('COMMIT');
    await store.append(shared, [{ type: 'user', uuid: 'b' }]);
    expect((await store.load(shared))?.map((row) => row.uuid)).toEqual(['b']);
  });

  it('leaves the database open when it is closed', () => {
    const database = open(join(makeDirectory(), 'sessions.db'));
    new SqliteSessionStore(database).close();
    expect(database.connection.open).toBe(true);
  });
});
