// Reads one session in a process of its own, so that its peak memory is the reading's alone.
// `store <database> <projectKey> <sessionId>`: load and shape; `parse <file>`: JSON.parse line by line.
import { readFileSync } from 'node:fs';

const [mode, ...args] = process.argv.slice(2);
const read = mode === 'store' ? await preparedStore(args) : preparedFile(args);
const baseKilobytes = process.resourceUsage().maxRSS;
const startMs = performance.now();
const rows = await read();
const elapsedMs = performance.now() - startMs;
const peakBytes = (process.resourceUsage().maxRSS - baseKilobytes) * 1_024;
process.stdout.write(JSON.stringify({ rows: rows.length, elapsedMs, peakBytes }));

async function preparedStore([databasePath, projectKey, sessionId]) {
  const { openRunDatabase } = await import('../dist/database/run-database.js');
  const { SqliteSessionStore } = await import('../dist/sessions/sqlite/sqlite-session-store.js');
  const { shapeTranscript } = await import('../dist/transcript/shape.js');
  const store = new SqliteSessionStore(openRunDatabase(databasePath));
  return async () => {
    const loaded = await store.load({ projectKey, sessionId });
    return shapeTranscript(loaded ?? [], { sessionId }).entries;
  };
}

function preparedFile([path]) {
  return () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
}
