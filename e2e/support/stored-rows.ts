import { join } from 'node:path';
import { openReadOnly } from '../../src/database/open-read-only.ts';

/** True while the process has a row of the manifest open: an attempt of it has been started. */
export function hasOpenRow(runDir: string, pid: number): boolean {
  const connection = openReadOnly(join(runDir, 'sessions.db'));
  if (connection === undefined) return false;
  try {
    const sql = 'SELECT 1 FROM attempt_rows WHERE closed = 0 AND host_pid = ?';
    return connection.prepare<[number]>(sql).get(pid) !== undefined;
  } finally {
    connection.close();
  }
}

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
