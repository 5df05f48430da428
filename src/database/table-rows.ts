import type { ReadOnlyConnection } from './open-read-only.ts';

/** Tables that belong to this machine and this directory, or to a Python flower in the same file. */
const localTables: ReadonlySet<string> = new Set([
  'file_views',
  'leases',
  'session_takeovers',
  'entries',
  'meta',
  'summaries',
]);

/** A value as SQLite has it here: the schema knows no blobs. */
export type CellValue = string | number | null;

/** One table of a run and the names of its columns. */
export interface RunTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables that make up a run, each behind those that it refers to. */
export function runTables(connection: ReadOnlyConnection): RunTable[] {
  return connection
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema
         WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`,
    )
    .pluck()
    .all()
    .filter((name) => !localTables.has(name))
    .map((name) => ({ name, columns: columnsOf(connection, name) }));
}

/** The rows of a table, one after the other: only one is in memory. */
export function tableRows(
  connection: ReadOnlyConnection,
  { name, columns }: RunTable,
): IterableIterator<CellValue[]> {
  const list = columns.map(quoted).join(', ');
  return connection
    .prepare<[], CellValue[]>(`SELECT ${list} FROM ${quoted(name)}`)
    .raw()
    .iterate();
}

/** Puts rows into a table; a row with the same key is replaced. */
export function insertInto(
  connection: ReadOnlyConnection,
  { name, columns }: RunTable,
): (row: readonly CellValue[]) => void {
  const list = columns.map(quoted).join(', ');
  const places = columns.map(() => '?').join(', ');
  const insert = connection.prepare<CellValue[]>(
    `INSERT OR REPLACE INTO ${quoted(name)} (${list}) VALUES (${places})`,
  );
  return (row) => {
    insert.run(...row);
  };
}

function columnsOf(connection: ReadOnlyConnection, table: string): string[] {
  return connection
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
