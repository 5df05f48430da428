import { join } from 'node:path';
import { openReadOnly } from '../../src/database/open-read-only.ts';

/** Every transcript row of a run directory as JSON text, in order of arrival. */
export function storedRows(runDir: string): string[] {
  const connection = openReadOnly(join(runDir, 'sessions.db'));
  if (connection === undefined) return [];
  try {
    return connection
      .prepare<[], string>('SELECT payload FROM session_entries ORDER BY id')
      .pluck()
      .all();
  } finally {
    connection.close();
  }
}
