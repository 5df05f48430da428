import { join } from 'node:path';
import { openRunDatabase } from '../src/database/run-database.ts';
import { SqliteSessionStore } from '../src/sessions/sqlite/sqlite-session-store.ts';
import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { openBareTable } from './bare-table.ts';
import { withFolder } from './folder.ts';
import type { Row } from './report.ts';
import { mean, median, percentile, spread } from './statistics.ts';
import { generateTranscript } from './transcripts.ts';

const group = 'store: rows of about 2.7 kB, synchronous=FULL';
const rowBytes = 2_700;
const sessionId = '5f10e4a2-0000-4000-8000-00000000beac';
const key = { projectKey: '-bench', sessionId };
/** As many as a busy session writes at once. */
const batchRows = 50;

/** How long a row takes to be on disk, and many rows to be written and read. */
export async function measureStore(sizes: {
  readonly appends: number;
  readonly rows: number;
}): Promise<Row[]> {
  const rows = generateTranscript({
    sessionId,
    workspace: '/srv/project',
    rows: Math.max(sizes.appends, sizes.rows),
    rowBytes,
    seed: 20_261_130,
  });
  const single = await withFolder((folder) => appendSingly(folder, rows.slice(0, sizes.appends)));
  const many = await withFolder((folder) => appendAndLoad(folder, rows.slice(0, sizes.rows)));
  return [...single, ...many];
}

/** Our store and a bare table, row by row in turn. */
async function appendSingly(folder: string, rows: readonly TranscriptEntry[]): Promise<Row[]> {
  const database = openRunDatabase(join(folder, 'sessions.db'));
  const store = new SqliteSessionStore(database);
  const bare = openBareTable(folder);
  const storeMs: number[] = [];
  const bareMs: number[] = [];
  for (const row of rows) {
    const payload = JSON.stringify(row);
    const startMs = performance.now();
    await store.append(key, [row]);
    const betweenMs = performance.now();
    bare.insert(payload);
    storeMs.push(betweenMs - startMs);
    bareMs.push(performance.now() - betweenMs);
  }
  store.close();
  database.close();
  bare.close();
  const samples = rows.length;
  const bytes = mean(rows.map((row) => Buffer.byteLength(JSON.stringify(row))));
  return [
    {
      group,
      name: `append one row (${(bytes / 1_000).toFixed(1)} kB): p50`,
      value: median(storeMs),
      unit: 'ms',
      reference: { name: 'bare insert', value: median(bareMs) },
      goal: 1,
      spread: spread(storeMs),
      samples,
    },
    {
      group,
      name: 'append one row: p99',
      value: percentile(storeMs, 99),
      unit: 'ms',
      reference: { name: 'bare insert', value: percentile(bareMs, 99) },
      goal: 5,
      samples,
    },
  ];
}

async function appendAndLoad(folder: string, rows: readonly TranscriptEntry[]): Promise<Row[]> {
  const database = openRunDatabase(join(folder, 'sessions.db'));
  const store = new SqliteSessionStore(database);
  const bare = openBareTable(folder);
  let storeMs = 0;
  let bareMs = 0;
  for (let start = 0; start < rows.length; start += batchRows) {
    const batch = rows.slice(start, start + batchRows);
    const startMs = performance.now();
    await store.append(key, batch);
    const betweenMs = performance.now();
    bare.insertAll(batch.map((row) => JSON.stringify(row)));
    storeMs += betweenMs - startMs;
    bareMs += performance.now() - betweenMs;
  }
  const loadStartMs = performance.now();
  const loaded = await store.load(key);
  const loadEndMs = performance.now();
  const bareLoaded = bare.load();
  const bareEndMs = performance.now();
  if (loaded?.length !== rows.length || bareLoaded.length !== rows.length) {
    throw new Error(`Of ${rows.length} rows ${loaded?.length} came back.`);
  }
  store.close();
  database.close();
  bare.close();
  const count = rows.length.toLocaleString('en');
  const samples = 1;
  return [
    {
      group,
      name: `append ${count} rows, ${batchRows} at once`,
      value: storeMs,
      unit: 'ms',
      reference: { name: 'bare insert', value: bareMs },
      samples,
    },
    {
      group,
      name: `load ${count} rows`,
      value: loadEndMs - loadStartMs,
      unit: 'ms',
      reference: { name: 'bare select, parsed', value: bareEndMs - loadEndMs },
      samples,
    },
  ];
}
