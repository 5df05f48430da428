import Database from 'better-sqlite3';
import { migrations } from './migrations.ts';

/** A connection that can only look. */
export type ReadOnlyConnection = Database.Database;

/**
 * Opens the run database to look only; `undefined` when it has another form than this flower's
 * (a Python flower's file, an older one, a damaged one): opening it for a run brings it up to date.
 */
export function openReadOnly(path: string): ReadOnlyConnection | undefined {
  let connection: ReadOnlyConnection | undefined;
  try {
    connection = new Database(path, { readonly: true, fileMustExist: true });
    if (connection.pragma('user_version', { simple: true }) === migrations.length)
      return connection;
    connection.close();
    return undefined;
  } catch {
    connection?.close();
    return undefined;
  }
}
