import { join } from 'node:path';
import { openRunDatabase } from '../src/database/run-database.ts';
import { SqliteSessionStore } from '../src/sessions/sqlite/sqlite-session-store.ts';
import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { openBareTable } from './bare-table.ts';
import { withFolder } from './folder.ts';
import type { Row } from './report.ts';
import { median, spread } from './statistics.ts';

const group = 'growth: one small row into a session of so many';
const key = { projectKey: '-bench', sessionId: '5f10e4a2-0000-4000-8000-0000000960e0' };
const marks = [1_000, 10_000, 100_000, 1_000_000];
const fillRows = 1_000;
const probes = 200;

/** Whether an append costs the same in a long session as in a short one. */
export function measureGrowth(most: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const database = openRunDatabase(join(folder, 'sessions.db'));
    const store = new SqliteSessionStore(database);
    const bare = openBareTable(folder);
    const rows: Row[] = [];
    let written = 0;
    const next = (): TranscriptEntry => smallRow(written++);
    try {
      for (const mark of marks.filter((each) => each <= most)) {
        while (written < mark) {
          const count = Math.min(fillRows, mark - written);
          await store.append(key, Array.from({ length: count }, next));
        }
        rows.push(await probe(mark, next, store, bare));
      }
    } finally {
      store.close();
      database.close();
      bare.close();
    }
    return rows;
  });
}

async function probe(
  mark: number,
  next: () => TranscriptEntry,
  store: SqliteSessionStore,
  bare: ReturnType<typeof openBareTable>,
): Promise<Row> {
  const storeMs: number[] = [];
  const bareMs: number[] = [];
  for (let index = 0; index < probes; index += 1) {
    const row = next();
    const payload = JSON.stringify(row);
    const startMs = performance.now();
    await store.append(key, [row]);
    const betweenMs = performance.now();
    bare.insert(payload);
    storeMs.push(betweenMs - startMs);
    bareMs.push(performance.now() - betweenMs);
  }
  return {
    group,
    name: `append one row after ${mark.toLocaleString('en')}`,
    value: median(storeMs),
    unit: 'ms',
    reference: { name: 'bare insert, small table', value: median(bareMs) },
    spread: spread(storeMs),
    samples: probes,
  };
}

function smallRow(index: number): TranscriptEntry {
  const uuid = uuidOf(index);
  return {
    type: 'user',
    uuid,
    parentUuid: index === 0 ? null : uuidOf(index - 1),
    sessionId: key.sessionId,
    isSidechain: false,
    timestamp: new Date(1_780_000_000_000 + index).toISOString(),
    message: { role: 'user', content: `Line ${index}.` },
  };
}

/** Spread over the whole index, as real ones are: neighbours in time are none in the tree. */
function uuidOf(index: number): string {
  const mixed = Math.imul(index + 1, 0x9e37_79b1) >>> 0;
  const first = mixed.toString(16).padStart(8, '0');
  return `${first}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}
