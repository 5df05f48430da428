import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { clearSuspect, isSuspect } from './suspect.ts';

/** A full structure check of a file up to this size takes a few ten milliseconds. */
const fullCheckBytes = 8 * 1024 * 1024;
const lastRows = 10;

/**
 * Looks for damage without reading a big file whole: the schema, the end of every table, and all
 * pages of a small file or of one that was found damaged while it was open.
 *
 * @throws an error for which `isDamage` holds when the database is damaged.
 */
export function checkHealth(connection: Database, path: string): void {
  connection.pragma('schema_version');
  for (const table of ordinaryTables(connection)) readLastRows(connection, table);
  const suspect = isSuspect(path);
  if (statSync(path).size > fullCheckBytes && !suspect) return;
  checkStructure(connection);
  if (!suspect) return;
  checkTexts(connection);
  clearSuspect(path);
}

interface TableInfo {
  readonly name: string;
  readonly withoutRowid: number;
}

function ordinaryTables(connection: Database): readonly TableInfo[] {
  return connection
    .prepare<[], TableInfo>(
      `SELECT name, wr AS withoutRowid FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table'`,
    )
    .all();
}

function readLastRows(connection: Database, table: TableInfo): void {
  const name = `"${table.name.replaceAll('"', '""')}"`;
  const order = table.withoutRowid === 1 ? '' : 'ORDER BY rowid DESC';
  connection.prepare(`SELECT * FROM ${name} ${order} LIMIT ${lastRows}`).all();
}

function checkStructure(connection: Database): void {
  const verdict: unknown = connection.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw damage(String(verdict));
}

/** The texts that flower wrote as JSON: bytes can be written over without hurting the structure. */
const jsonColumns = [
  ['session_entries', 'payload'],
  ['session_summaries', 'data'],
  ['step_states', 'state'],
  ['attempt_rows', 'row'],
  ['attempt_rows', 'segment'],
  ['model_usage', 'usage'],
] as const;

/** How many stored texts were written over. Reads the whole database. */
export function countDamagedTexts(connection: Database): number {
  const present = new Set(ordinaryTables(connection).map(({ name }) => name));
  return jsonColumns
    .filter(([table]) => present.has(table))
    .map(([table, column]) =>
      connection
        .prepare<[], number>(
          `SELECT count(*) FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`,
        )
        .pluck()
        .get(),
    )
    .reduce((sum: number, count) => sum + (count ?? 0), 0);
}

function checkTexts(connection: Database): void {
  const count = countDamagedTexts(connection);
  if (count > 0) throw damage(`${count} stored texts are damaged`);
}

function damage(detail: string): Error {
  return Object.assign(new Error(detail), { code: 'SQLITE_CORRUPT' });
}
