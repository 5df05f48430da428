import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Runtime } from '../src/index.ts';
import { mainTranscriptPath } from '../src/claude/local-paths.ts';
import { projectKeyOf } from '../src/claude/project-key.ts';
import { SessionFiles } from '../src/claude/session-files.ts';
import { openRunDatabase } from '../src/database/run-database.ts';
import { SqliteSessionStore } from '../src/sessions/sqlite/sqlite-session-store.ts';
import {
  createTestHome,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
} from '../src/testing/index.ts';
import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { runBareSession } from './bare-session.ts';
import type { Row } from './report.ts';
import { median, spread } from './statistics.ts';
import { generateTranscript } from './transcripts.ts';

/** A session to be resumed. */
interface SessionSize {
  readonly name: string;
  readonly rows: number;
  readonly rowBytes: number;
}

const bareId = '5f10e4a2-0000-4000-8000-00000000ba5e';
const flowerId = '5f10e4a2-0000-4000-8000-00000000f10e';
const prompt = 'Go on.';

/** Sizes that are resumed: the small one and the one of `docs/benchmarks.md`. */
export const resumeSizes: readonly SessionSize[] = [
  { name: '40 rows', rows: 40, rowBytes: 2_700 },
  { name: '4,000 rows, 45 MB', rows: 4_000, rowBytes: 11_250 },
];

/** Time to the first request of a resumed session, and what flower does until then. */
export async function measureResume(rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of resumeSizes) rows.push(...(await measureSize(size, rounds)));
  return rows;
}

interface Times {
  readonly bareMs: number[];
  /** The local file stands as the last process left it. */
  readonly warmMs: number[];
  /** There is no local file: another machine, or it was swept. */
  readonly coldMs: number[];
}

async function measureSize(size: SessionSize, rounds: number): Promise<Row[]> {
  const api = await startScriptedApi({ script: () => 'Done.' });
  const home = await createTestHome({ api });
  const times: Times = { bareMs: [], warmMs: [], coldMs: [] };
  try {
    const entries = (sessionId: string): TranscriptEntry[] =>
      generateTranscript({ ...size, sessionId, workspace: home.workspace, seed: 45 });
    writeLocal(home, bareId, entries(bareId));
    await fillStore(home, entries(flowerId));
    const parts = await measureParts(home, rounds);
    const runtime = openRuntime(home);
    try {
      // Not counted: the first resume loads the SDK and warms the file cache.
      await firstRequestMs(api, () => resumeFlower(runtime));
      for (let round = 0; round < rounds; round += 1) {
        times.bareMs.push(await firstRequestMs(api, () => resumeBare(home)));
        times.warmMs.push(await firstRequestMs(api, () => resumeFlower(runtime)));
        rmSync(localPath(home, flowerId));
        times.coldMs.push(await firstRequestMs(api, () => resumeFlower(runtime)));
      }
    } finally {
      await runtime.close();
    }
    return rowsOf(size, times, parts, rounds);
  } finally {
    await api.close();
    await home.dispose();
  }
}

async function firstRequestMs(api: ScriptedApi, resume: () => Promise<void>): Promise<number> {
  const known = api.requests.length;
  const startMs = Date.now();
  await resume();
  const first = api.requests.slice(known).find(({ kind }) => kind === 'main');
  if (first === undefined) throw new Error('The resumed session sent no request.');
  return first.at - startMs;
}

function resumeBare({ workspace, env }: TestHome): Promise<void> {
  return runBareSession({ prompt, workspace, env, tools: ['Read'], resume: bareId });
}

async function resumeFlower(runtime: Runtime): Promise<void> {
  const agent = { name: 'agent', allowedTools: ['Read'] };
  const result = await runtime.run(agent, prompt, { resume: flowerId });
  if (!result.ok) throw new Error(`The resumed session failed: ${result.error}`);
}

function openRuntime({ workspace, path, env }: TestHome): Runtime {
  return new Runtime({ workspace, runDir: join(path, 'runs'), env });
}

interface Parts {
  readonly coldInspectMs: number[];
  readonly coldPrepareMs: number[];
  readonly warmInspectMs: number[];
  readonly warmPrepareMs: number[];
}

/** The same work without an agent: what flower does between the call and the start. */
async function measureParts(home: TestHome, rounds: number): Promise<Parts> {
  const parts: Parts = {
    coldInspectMs: [],
    coldPrepareMs: [],
    warmInspectMs: [],
    warmPrepareMs: [],
  };
  const database = openRunDatabase(databasePath(home));
  const store = new SqliteSessionStore(database);
  const files = new SessionFiles({ store, workspace: home.workspace, env: home.env });
  for (let round = 0; round < rounds; round += 1) {
    rmSync(localPath(home, flowerId), { force: true });
    parts.coldInspectMs.push(await timeMs(() => files.inspect(flowerId)));
    parts.coldPrepareMs.push(await timeMs(() => files.prepare(flowerId, 'prompt')));
    parts.warmInspectMs.push(await timeMs(() => files.inspect(flowerId)));
    parts.warmPrepareMs.push(await timeMs(() => files.prepare(flowerId, 'prompt')));
  }
  store.close();
  database.close();
  return parts;
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function rowsOf(size: SessionSize, times: Times, parts: Parts, samples: number): Row[] {
  const group = `resume, ${size.name}`;
  const bare = { name: 'SDK, local file', value: median(times.bareMs) };
  const request = (name: string, values: readonly number[]): Row => ({
    group,
    name: `first request, ${name}`,
    value: median(values),
    unit: 'ms',
    reference: bare,
    spread: spread(values),
    samples,
  });
  const part = (name: string, values: readonly number[]): Row => ({
    group,
    name,
    value: median(values),
    unit: 'ms',
    spread: spread(values),
    samples,
  });
  return [
    request('local file there', times.warmMs),
    request('local file gone', times.coldMs),
    part('of that: inspect, file there', parts.warmInspectMs),
    part('of that: prepare, file there', parts.warmPrepareMs),
    part('of that: inspect, file gone', parts.coldInspectMs),
    part('of that: prepare, file gone', parts.coldPrepareMs),
  ];
}

async function fillStore(home: TestHome, entries: readonly TranscriptEntry[]): Promise<void> {
  const database = openRunDatabase(databasePath(home));
  const store = new SqliteSessionStore(database);
  const projectKey = projectKeyOf(home.workspace);
  for (let start = 0; start < entries.length; start += 500) {
    const batch = entries.slice(start, start + 500);
    await store.append({ projectKey, sessionId: flowerId }, batch);
  }
  store.close();
  database.close();
}

function writeLocal(home: TestHome, sessionId: string, entries: readonly TranscriptEntry[]): void {
  const path = localPath(home, sessionId);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

function localPath(home: TestHome, sessionId: string): string {
  const { configDir: configDirectory, workspace } = home;
  return mainTranscriptPath({ configDirectory, projectKey: projectKeyOf(workspace), sessionId });
}

function databasePath({ path }: TestHome): string {
  return join(path, 'runs', 'sessions.db');
}
