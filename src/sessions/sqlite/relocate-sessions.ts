import type { RunDatabase } from '../../database/run-database.ts';

/**
 * Gives the sessions of a moved workspace to its new project key; on disk when it returns.
 *
 * A stream that stands under the new key already stays as it is.
 */
export function relocateSessions(database: RunDatabase, fromKey: string, toKey: string): void {
  database.immediate(() => {
    database.connection
      .prepare('UPDATE OR IGNORE session_streams SET project_key = ? WHERE project_key = ?')
      .run(toKey, fromKey);
  });
}
