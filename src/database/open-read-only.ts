import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { migrations } from './migrations.ts';

/** A connection that can only look. */
export type ReadOnlyConnection = Database.Database;

/**
 * Opens the run database to look only; `undefined` when it has another form than this flower's
 * (a Python flower's file, an older one, a damaged one): opening it for a run brings it up to date.
 * Once closed, no file is left that was not there before.
 */
export function openReadOnly(path: string): ReadOnlyConnection | undefined {
  let connection: ReadOnlyConnection | undefined;
  try {
    connection = connect(path);
    if (connection.pragma('user_version', { simple: true }) === migrations.length)
      return connection;
    connection.close();
    return undefined;
  } catch {
    connection?.close();
    return undefined;
  }
}

/**
 * A connection that may not write leaves `-wal` and `-shm` behind where there were none (measured);
 * one that may takes them away again. Where they stand already, a process works or has died: then
 * closing must not tidy up in its place.
 */
function connect(path: string): ReadOnlyConnection {
  if (existsSync(`${path}-wal`)) return new Database(path, { readonly: true, fileMustExist: true });
  try {
    const connection = new Database(path, { fileMustExist: true });
    connection.pragma('query_only = ON');
    return connection;
  } catch {
    return new Database(path, { readonly: true, fileMustExist: true });
  }
}
