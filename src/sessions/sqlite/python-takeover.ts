import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { RunDatabase } from '../../database/run-database.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import type { SessionKey } from '../session-store.ts';
import { type AppendContext, appendEntries } from './append-entries.ts';

/** What the tables of a Python flower hold; other tables of these names are not ours to read. */
const pythonColumns = {
  entries: ['store_key', 'seq', 'payload'],
  meta: ['store_key', 'mtime'],
} as const;

const entrySchema = z.looseObject({ type: z.string() });

/** A Python stream with rows that were not taken over yet. */
interface PendingStream {
  readonly storeKey: string;
  readonly mtime: number;
  readonly taken: number;
  readonly next: number;
}

/**
 * Takes over the rows that a Python flower wrote into the same file, in one transaction.
 *
 * Its own tables stay as they are. Rows that it adds later are taken over at the next call; what
 * was taken over and deleted here since does not come back.
 */
export function takeOverPythonRows(database: RunDatabase, context: AppendContext): void {
  const { connection } = database;
  if (!hasPythonTables(connection) || findPending(connection).length === 0) return;
  database.immediate(() => {
    for (const stream of findPending(connection)) takeOverStream(connection, context, stream);
  });
}

function hasPythonTables(connection: Database): boolean {
  const columnsOf = connection
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck();
  return Object.entries(pythonColumns).every(([table, needed]) => {
    const present = new Set(columnsOf.all(table));
    return needed.every((column) => present.has(column));
  });
}

function findPending(connection: Database): readonly PendingStream[] {
  return connection
    .prepare<[], PendingStream>(
      `SELECT store_key AS storeKey, mtime, coalesce(next_sequence, 0) AS taken,
         (SELECT max(seq) + 1 FROM entries WHERE entries.store_key = meta.store_key) AS next
       FROM meta LEFT JOIN session_takeovers USING (store_key)
       WHERE next IS NOT NULL AND next <> taken
       ORDER BY mtime`,
    )
    .all();
}

function takeOverStream(connection: Database, context: AppendContext, stream: PendingStream): void {
  const key = parseStoreKey(stream.storeKey);
  if (key !== undefined) {
    // Fewer rows than were taken: the stream was deleted and begun again.
    const from = stream.next > stream.taken ? stream.taken : 0;
    const entries = readEntries(connection, stream.storeKey, from);
    appendEntries({ ...context, now: () => stream.mtime }, key, entries);
  }
  connection
    .prepare<[string, number]>(
      `INSERT INTO session_takeovers (store_key, next_sequence) VALUES (?, ?)
       ON CONFLICT (store_key) DO UPDATE SET next_sequence = excluded.next_sequence`,
    )
    .run(stream.storeKey, stream.next);
}

/** `project_key/session_id[/subpath]`; only the subpath holds further slashes. */
function parseStoreKey(storeKey: string): SessionKey | undefined {
  const [projectKey, sessionId, ...rest] = storeKey.split('/');
  if (!projectKey || !sessionId) return undefined;
  const main = { projectKey, sessionId };
  return rest.length === 0 ? main : { ...main, subpath: rest.join('/') };
}

function readEntries(connection: Database, storeKey: string, from: number): TranscriptEntry[] {
  return connection
    .prepare<[string, number], string>(
      'SELECT payload FROM entries WHERE store_key = ? AND seq >= ? ORDER BY seq',
    )
    .pluck()
    .all(storeKey, from)
    .flatMap(parseEntry);
}

/** A row that is no transcript row stays where it is, in the Python table. */
function parseEntry(payload: string): TranscriptEntry[] {
  try {
    const value: unknown = JSON.parse(payload);
    return entrySchema.safeParse(value).success ? [value as TranscriptEntry] : [];
  } catch {
    return [];
  }
}
