import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { openRunDatabase } from '../../database/run-database.ts';
import { AttemptRows } from '../attempt-rows.ts';
import { Manifest } from '../manifest.ts';
import { manifestRow } from '../manifest-row.ts';

/** Closes rows one by one when told, and has the manifest written after each. */
export async function run(path: string, name: string, count: string): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
  const database = openRunDatabase(join(dirname(path), 'sessions.db'));
  const rows = new AttemptRows(database);
  const manifest = new Manifest({
    database,
    rows,
    path,
    onWriteFailure: (error) => {
      throw error;
    },
    onSetAside: (target) => {
      throw new Error(`set aside: ${target}`);
    },
  });
  for (let index = 0; index < Number(count); index += 1) {
    const row = manifestRow.parse({ run: name, step: `${name}-${index}` });
    rows.close(rows.open(row, { pid: process.pid, start: '' }), row);
    manifest.update();
    manifest.flush();
  }
  database.close();
  process.disconnect();
}
