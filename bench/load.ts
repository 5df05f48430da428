import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRunDatabase } from '../src/database/run-database.ts';
import { SqliteSessionStore } from '../src/sessions/sqlite/sqlite-session-store.ts';
import { withFolder } from './folder.ts';
import type { Row } from './report.ts';
import { median, spread } from './statistics.ts';
import { generateTranscript } from './transcripts.ts';

const processPath = fileURLToPath(new URL('./load-process.mjs', import.meta.url));
const projectKey = '-srv-project';
const sessionId = '5f10e4a2-0000-4000-8000-0000000010ad';
const rowBytes = 11_250;
const million = 1_000_000;

interface Reading {
  readonly rows: number;
  readonly elapsedMs: number;
  readonly peakBytes: number;
}

/** Loading a long session with all cleanings, against parsing the same bytes and nothing else. */
export function measureLoad(megabytes: number, rounds: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const databasePath = join(folder, 'sessions.db');
    const filePath = join(folder, 'session.jsonl');
    const bytes = await writeBoth(databasePath, filePath, (megabytes * million) / rowBytes);
    const loads: Reading[] = [];
    const parses: Reading[] = [];
    for (let round = 0; round < rounds; round += 1) {
      parses.push(readApart(['parse', filePath]));
      loads.push(readApart(['store', databasePath, projectKey, sessionId]));
    }
    if (loads[0]?.rows !== parses[0]?.rows) throw new Error('The two readings differ in rows.');
    return rowsOf(bytes, loads, parses);
  });
}

async function writeBoth(databasePath: string, filePath: string, rows: number): Promise<number> {
  const plan = {
    sessionId,
    workspace: '/srv/project',
    rows: Math.round(rows),
    rowBytes,
    seed: 100,
  };
  const entries = generateTranscript(plan);
  const database = openRunDatabase(databasePath);
  const store = new SqliteSessionStore(database);
  for (let start = 0; start < entries.length; start += 500) {
    await store.append({ projectKey, sessionId }, entries.slice(start, start + 500));
  }
  store.close();
  database.close();
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  writeFileSync(filePath, lines);
  return Buffer.byteLength(lines);
}

function readApart(args: readonly string[]): Reading {
  const { status, stdout, stderr } = spawnSync(process.execPath, [processPath, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`Reading the session failed: ${stderr}`);
  return JSON.parse(stdout) as Reading;
}

function rowsOf(bytes: number, loads: readonly Reading[], parses: readonly Reading[]): Row[] {
  const group = `load, ${(bytes / million).toFixed(0)} MB in ${loads[0]?.rows} rows`;
  const times = loads.map(({ elapsedMs }) => elapsedMs);
  const parseMs = median(parses.map(({ elapsedMs }) => elapsedMs));
  const peak = (readings: readonly Reading[]): number =>
    median(readings.map(({ peakBytes }) => peakBytes)) / million;
  const samples = loads.length;
  return [
    {
      group,
      name: 'load with all cleanings',
      value: median(times),
      unit: 'ms',
      reference: { name: 'read and JSON.parse', value: parseMs },
      goal: 1.5 * parseMs,
      spread: spread(times),
      samples,
    },
    {
      group,
      name: 'memory above start, at its peak',
      value: peak(loads),
      unit: 'MB',
      reference: { name: 'read and JSON.parse', value: peak(parses) },
      goal: (3 * bytes) / million,
      samples,
    },
  ];
}
