import { join } from 'node:path';
import Database from 'better-sqlite3';

interface BareTable {
  insert(payload: string): void;
  insertAll(payloads: readonly string[]): void;
  load(): unknown[];
  close(): void;
}

/** A table that holds texts and does nothing else: what writing and reading cost at least. */
export function openBareTable(folder: string): BareTable {
  const database = new Database(join(folder, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE entries (id INTEGER PRIMARY KEY, payload TEXT NOT NULL)');
  const insert = database.prepare<[string]>('INSERT INTO entries (payload) VALUES (?)');
  const select = database.prepare<[], string>('SELECT payload FROM entries ORDER BY id').pluck();
  return {
    insert: (payload: string): void => {
      insert.run(payload);
    },
    insertAll: database.transaction((payloads: readonly string[]) => {
      for (const payload of payloads) insert.run(payload);
    }),
    load: (): unknown[] => select.all().map((payload) => JSON.parse(payload) as unknown),
    close: (): void => {
      database.close();
    },
  };
}
