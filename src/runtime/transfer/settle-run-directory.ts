import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Lineage } from '../../continuity/lineage.ts';
import { openReadOnly } from '../../database/open-read-only.ts';
import { openRunDatabase } from '../../database/run-database.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { AttemptRows } from '../../ledger/attempt-rows.ts';
import { Manifest } from '../../ledger/manifest.ts';
import { SqliteSessionStore } from '../../sessions/sqlite/sqlite-session-store.ts';

/**
 * Brings everything of a run directory into its database: rows of a Python flower or of an older
 * flower, and what stands only in `lineage.json` and `manifest.json`.
 *
 * @param workspace - The workspace that the lineage names.
 * @returns that workspace.
 * @throws FlowerError `history-missing` when there is nothing.
 */
export function settleRunDirectory(runDir: string, workspace: string): string {
  const path = join(runDir, 'sessions.db');
  const names = ['lineage.json', 'manifest.json'];
  const hasFiles = names.some((name) => existsSync(join(runDir, name)));
  if (!existsSync(path) && !hasFiles) throw new FlowerError('history-missing', { path: runDir });
  const database = openRunDatabase(path);
  try {
    // Takes over Python rows.
    new SqliteSessionStore(database).close();
    const options = {
      database,
      // The database is what is exported; the files are written by the next run.
      onWriteFailure: () => undefined,
      onSetAside: () => undefined,
    };
    Lineage.open({ ...options, path: join(runDir, 'lineage.json'), workspace });
    const rows = new AttemptRows(database);
    new Manifest({ ...options, rows, path: join(runDir, 'manifest.json') }).takeIn();
  } finally {
    database.close();
  }
  assertHistory(path, runDir);
  return workspace;
}

function assertHistory(path: string, runDir: string): void {
  const connection = openReadOnly(path);
  const tables = ['session_streams', 'attempt_rows', 'flow_runs'];
  const hasRows = tables.some(
    (table) => connection?.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );
  connection?.close();
  if (!hasRows) throw new FlowerError('history-missing', { path: runDir });
}
