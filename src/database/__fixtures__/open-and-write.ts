import { once } from 'node:events';
import { openRunDatabase } from '../run-database.ts';

/** Opens the database when told and writes one row; tells what was set aside. */
export async function run(path: string): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
  const moved: string[] = [];
  const database = openRunDatabase(path, {
    onSetAside: (target) => {
      moved.push(target);
    },
  });
  database.immediate(() => {
    database.connection
      .prepare('INSERT INTO session_takeovers (store_key, next_sequence) VALUES (?, 1)')
      .run(String(process.pid));
  });
  process.send?.(moved);
  database.close();
  process.disconnect();
}
