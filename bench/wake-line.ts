import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { projectKeyOf } from '../src/claude/project-key.ts';
import { openRunDatabase } from '../src/database/run-database.ts';
import { SqliteSessionStore } from '../src/sessions/sqlite/sqlite-session-store.ts';
import { createTestHome, startScriptedApi, type TestHome } from '../src/testing/index.ts';
import type { Row } from './report.ts';
import { median, spread } from './statistics.ts';
import { generateTranscript } from './transcripts.ts';

const binPath = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const packagePath = new URL('../dist/index.js', import.meta.url).href;
const sessionMegabytes = 25;
const rowBytes = 11_250;
const patienceMs = 30_000;

// A step that never counts as done: every run of it is a wake.
const flow = `import { Workflow } from '${packagePath}';
export const main = Workflow.of('bench').step('work', { name: 'agent' }, 'Work.', { gate: () => false });
`;

/** How soon a woken run says what it continues, with a small database and with a large one. */
export async function measureWakeLine(megabytes: number, rounds: number): Promise<Row[]> {
  const api = await startScriptedApi({ script: () => 'Done.' });
  const home = await createTestHome({ api, files: { 'flow.mjs': flow } });
  try {
    await wake(home);
    const small = await measure(home, rounds);
    await fill(home, megabytes);
    return rowsOf(megabytes, small, await measure(home, rounds));
  } finally {
    await api.close();
    await home.dispose();
  }
}

interface Times {
  readonly node: number[];
  readonly line: number[];
}

async function measure(home: TestHome, rounds: number): Promise<Times> {
  const times: Times = { node: [], line: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const nodeMs = (await firstLine(home, ['-e', 'console.log(0)'], () => true)) ?? Number.NaN;
    const lineMs = (await wake(home)) ?? Number.NaN;
    // The first round warms the file cache.
    if (round === 0) continue;
    times.node.push(nodeMs);
    times.line.push(lineMs);
  }
  return times;
}

function wake(home: TestHome): Promise<number | undefined> {
  const args = [binPath, 'run', 'flow.mjs:main', '-w', home.workspace, '-r', runDirectory(home)];
  return firstLine(home, [...args, '--json'], saysWhatGoesOn);
}

function saysWhatGoesOn(line: string): boolean {
  const event = JSON.parse(line) as { type: string; continues?: readonly unknown[] };
  return event.type === 'run-start' && (event.continues?.length ?? 0) > 0;
}

/** Milliseconds from the start of a Node process to the line looked for; waits for its end. */
async function firstLine(
  home: TestHome,
  args: readonly string[],
  isIt: (line: string) => boolean,
): Promise<number | undefined> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: home.workspace,
    env: home.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
  });
  let elapsedMs: number | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (elapsedMs === undefined && isIt(line)) elapsedMs = performance.now() - startMs;
  }
  return elapsedMs;
}

async function fill(home: TestHome, megabytes: number): Promise<void> {
  const database = openRunDatabase(join(runDirectory(home), 'sessions.db'));
  const store = new SqliteSessionStore(database);
  const projectKey = projectKeyOf(home.workspace);
  for (let number = 1; number * sessionMegabytes <= megabytes; number += 1) {
    const sessionId = `5f10e4a2-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const rows = Math.round((sessionMegabytes * 1_000_000) / rowBytes);
    const plan = { sessionId, workspace: home.workspace, rows, rowBytes, seed: number };
    const entries = generateTranscript(plan);
    for (let start = 0; start < entries.length; start += 500) {
      await store.append({ projectKey, sessionId }, entries.slice(start, start + 500));
    }
  }
  store.close();
  database.close();
}

function runDirectory(home: TestHome): string {
  return join(home.path, 'runs');
}

function rowsOf(megabytes: number, small: Times, large: Times): Row[] {
  const group = 'wake line of flower run';
  const own = ({ line, node }: Times): number => median(line) - median(node);
  return [
    {
      group,
      name: 'small database',
      value: median(small.line),
      unit: 'ms',
      reference: { name: 'node -e', value: median(small.node) },
      spread: spread(small.line),
      samples: small.line.length,
    },
    {
      group,
      name: `database of ${megabytes} MB`,
      value: median(large.line),
      unit: 'ms',
      reference: { name: 'node -e', value: median(large.node) },
      spread: spread(large.line),
      samples: large.line.length,
    },
    {
      group,
      name: `database of ${megabytes} MB: above node -e`,
      value: own(large),
      unit: 'ms',
      reference: { name: 'small database', value: own(small) },
      goal: 150,
      samples: large.line.length,
    },
  ];
}
