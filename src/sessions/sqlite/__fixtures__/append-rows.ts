import { once } from 'node:events';
import { openRunDatabase } from '../../../database/run-database.ts';
import { SqliteSessionStore } from '../sqlite-session-store.ts';

/** Appends rows one by one to a session when told, and tells each that is acknowledged. */
export async function run(path: string, name: string, count: string): Promise<void> {
  process.send?.('ready');
  await once(process, 'message');
  const database = openRunDatabase(path);
  const store = new SqliteSessionStore(database);
  for (let index = 0; index < Number(count); index += 1) {
    const entry = { type: 'user', uuid: `${name}-${index}`, text: 'x'.repeat(500) };
    await store.append({ projectKey: 'p', sessionId: 'shared' }, [entry]);
    process.send?.(index);
  }
  database.close();
  process.disconnect();
}
