import Database, { type Database as Connection } from 'better-sqlite3';

/** What was taken over. */
export interface Salvage {
  readonly rows: number;
}

/** How far a reader leaps over a broken place at most, in row numbers. */
const longestLeap = 1 << 20;

interface Table {
  readonly name: string;
  readonly withoutRowid: number;
  readonly sql: string;
}

/**
 * Copies what can still be read of a damaged database into a fresh one of the current schema.
 *
 * Row by row, from both ends and over broken places; rows that the fresh one has stay, and so does
 * the damaged file. Tables that flower does not know (a Python flower's) are taken along.
 *
 * @throws SQLite's error when not even the list of tables can be read.
 */
export function salvageDatabase(fresh: Connection, damagedPath: string): Salvage {
  const damaged = new Database(damagedPath, { readonly: true, fileMustExist: true });
  // Rows of one table may come before those that they refer to.
  fresh.pragma('foreign_keys = OFF');
  try {
    const tables = tablesOf(damaged);
    const copy = fresh.transaction(() => {
      const rows = tables.reduce((sum, table) => sum + copyTable(fresh, damaged, table), 0);
      tidy(fresh);
      return rows;
    });
    return { rows: copy.immediate() };
  } finally {
    fresh.pragma('foreign_keys = ON');
    damaged.close();
  }
}

function tablesOf(connection: Connection): Table[] {
  return connection
    .prepare<[], Table>(
      `SELECT list.name, list.wr AS withoutRowid, sql FROM pragma_table_list AS list
         JOIN sqlite_schema AS made ON made.name = list.name
         WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
}

function copyTable(fresh: Connection, damaged: Connection, table: Table): number {
  const present = new Set(tablesOf(fresh).map(({ name }) => name));
  try {
    if (!present.has(table.name)) fresh.exec(table.sql);
    const columns = commonColumns(fresh, damaged, table.name);
    if (columns.length === 0) return 0;
    const names = columns.map(quoted).join(', ');
    const insert = fresh.prepare(
      `INSERT OR IGNORE INTO ${quoted(table.name)} (${names})
         VALUES (${columns.map(() => '?').join(', ')})`,
    );
    let rows = 0;
    for (const row of readable(damaged, table, names)) rows += insert.run(row).changes;
    return rows;
  } catch {
    // Not even its columns are known any more.
    return 0;
  }
}

function commonColumns(fresh: Connection, damaged: Connection, table: string): string[] {
  const columnsOf = (connection: Connection): string[] =>
    connection
      .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
      .pluck()
      .all(table);
  const present = new Set(columnsOf(fresh));
  return columnsOf(damaged).filter((name) => present.has(name));
}

/** Every row that can be read, once or more often. */
function* readable(
  damaged: Connection,
  { name, withoutRowid }: Table,
  columns: string,
): Generator<unknown[], void> {
  const select = `SELECT ${columns} FROM ${quoted(name)}`;
  if (withoutRowid === 1) {
    yield* untilBroken(damaged, select, []);
    return;
  }
  const numbered = `SELECT rowid, ${columns} FROM ${quoted(name)}`;
  let last = 0;
  for (let leap = 1; leap <= longestLeap; leap *= 2) {
    const query = `${numbered} WHERE rowid >= ? ORDER BY rowid`;
    for (const [rowid, ...row] of untilBroken(damaged, query, [last + leap])) {
      last = Number(rowid);
      leap = 1;
      yield row;
    }
  }
  for (const [, ...row] of untilBroken(damaged, `${numbered} ORDER BY rowid DESC`, [])) yield row;
}

function* untilBroken(
  damaged: Connection,
  query: string,
  values: readonly number[],
): Generator<unknown[], void> {
  try {
    yield* damaged
      .prepare<unknown[], unknown[]>(query)
      .raw()
      .iterate(...values);
  } catch {
    // Behind this row the table is broken.
  }
}

/**
 * Makes the rows agree with each other again: no text that cannot be read, no row without its stream.
 * The manifest counts as written by somebody else, so that rows which only it has are taken in.
 */
function tidy(fresh: Connection): void {
  fresh.exec(`
    DELETE FROM session_entries WHERE NOT json_valid(payload)
      OR stream NOT IN (SELECT id FROM session_streams);
    DELETE FROM session_summaries WHERE NOT json_valid(data)
      OR stream NOT IN (SELECT id FROM session_streams);
    DELETE FROM step_states WHERE NOT json_valid(state);
    DELETE FROM attempt_rows WHERE NOT json_valid(row) OR NOT coalesce(json_valid(segment), 1);
    DELETE FROM model_usage WHERE NOT json_valid(usage);
    DELETE FROM file_views WHERE file = 'manifest';
    DELETE FROM lineage_sessions WHERE epoch NOT IN (SELECT epoch FROM lineages);
    UPDATE session_streams SET next_sequence = max(next_sequence, coalesce(
      (SELECT max(sequence) + 1 FROM session_entries WHERE stream = session_streams.id), 0));
  `);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
