import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import type { SessionKey } from '../sessions/session-store.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { assistant, call, text, user, uuidsOf } from '../transcript/fixtures/rows.ts';
import { mainTranscriptPath } from './local-paths.ts';
import { projectKeyOf } from './project-key.ts';
import { SessionFiles } from './session-files.ts';

const sessionId = '5f10e4a2-0000-4000-8000-00000000f11e';

class CountingStore extends SqliteSessionStore {
  loads = 0;

  override load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    this.loads += 1;
    return super.load(key);
  }
}

let folder: string;
let database: RunDatabase;
let store: CountingStore;
let files: SessionFiles;
let key: SessionKey;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flower-session-files-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  database = openRunDatabase(join(folder, 'runs', 'sessions.db'));
  store = new CountingStore(database);
  const configDirectory = join(folder, 'config');
  files = new SessionFiles({ store, workspace, env: { CLAUDE_CONFIG_DIR: configDirectory } });
  const projectKey = projectKeyOf(workspace);
  key = { projectKey, sessionId };
  path = mainTranscriptPath({ configDirectory, projectKey, sessionId });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const question = user(undefined, 'one');
const answer = assistant(question, [text('first')]);
const nextQuestion = user(answer, 'two');
const nextAnswer = assistant(nextQuestion, [text('second')]);

function print(rows: readonly TranscriptEntry[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function writeLocal(rows: readonly TranscriptEntry[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, print(rows));
}

function localUuids(): unknown[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as TranscriptEntry).uuid);
}

async function storedUuids(): Promise<readonly string[]> {
  return uuidsOf((await store.load(key)) ?? []);
}

describe('SessionFiles', () => {
  it('writes the stored session as the local file when there is none', async () => {
    await store.append(key, [question, answer]);
    expect(await files.inspect(sessionId)).toMatchObject({ exists: true, recovered: 0 });
    await files.prepare(sessionId, 'prompt');
    expect(localUuids()).toEqual(uuidsOf([question, answer]));
  });

  it.each([
    ['recorded nothing but its description is started again', [], 'start it again if its work'],
    ['recorded its task is continued', [question], 'SendMessage to "digger1"'],
  ])('a cut subagent that %s', async (_fact, rows, advice) => {
    const agentCall = assistant(question, [call('toolu_agent', 'Agent', { prompt: 'Dig.' })]);
    const metadata: TranscriptEntry = { type: 'agent_metadata', toolUseId: 'toolu_agent' };
    await store.append(key, [question, agentCall]);
    await store.append({ ...key, subpath: 'subagents/agent-digger1' }, [metadata, ...rows]);

    await files.prepare(sessionId, 'turn');

    const stored = (await store.load(key)) ?? [];
    expect(stored).toHaveLength(3);
    expect(JSON.stringify(stored[2]?.message)).toContain(JSON.stringify(advice).slice(1, -1));
  });

  it('takes in what only the local file has, once', async () => {
    await store.append(key, [question]);
    writeLocal([question, answer]);
    expect(await files.inspect(sessionId)).toMatchObject({ recovered: 1, nextSequence: 2 });
    expect(await files.inspect(sessionId)).toMatchObject({ recovered: 0, nextSequence: 2 });
    expect(await storedUuids()).toEqual(uuidsOf([question, answer]));
  });

  it('takes in a row that the local file got between inspect and prepare', async () => {
    await store.append(key, [question]);
    writeLocal([question]);
    await files.inspect(sessionId);
    appendFileSync(path, print([answer]));
    await files.prepare(sessionId, 'prompt');
    expect(await storedUuids()).toEqual(uuidsOf([question, answer]));
    expect(localUuids()).toEqual(uuidsOf([question, answer]));
  });

  it('takes in a row of a file that was replaced by one of the same size', async () => {
    await store.append(key, [question]);
    writeLocal([question, answer]);
    await files.inspect(sessionId);
    const other = assistant(question, [text('other')]);
    expect(print([other]).length).toBe(print([answer]).length);
    rmSync(path);
    writeLocal([question, other]);
    await files.prepare(sessionId, 'prompt');
    expect(await storedUuids()).toEqual(uuidsOf([question, answer, other]));
  });

  it('writes a row that the store got between inspect and prepare', async () => {
    await store.append(key, [question, answer]);
    await files.inspect(sessionId);
    await store.append(key, [nextQuestion]);
    await files.prepare(sessionId, 'prompt');
    expect(localUuids()).toEqual(uuidsOf([question, answer, nextQuestion]));
  });

  it('takes in what the agent wrote after prepare', async () => {
    await store.append(key, [question, answer]);
    await files.prepare(sessionId, 'prompt');
    appendFileSync(path, print([nextQuestion, nextAnswer]));
    const taken = await files.takeIn(sessionId);
    expect(uuidsOf(taken.map(({ entry }) => entry))).toEqual(uuidsOf([nextQuestion, nextAnswer]));
    expect(await files.inspect(sessionId)).toMatchObject({ recovered: 0, turnText: 'second' });
  });

  it('keeps sessions apart that are looked at in turn', async () => {
    const otherId = '5f10e4a2-0000-4000-8000-0000000007e2';
    await store.append(key, [question, answer]);
    await store.append({ ...key, sessionId: otherId }, [nextQuestion]);
    await files.inspect(sessionId);
    expect(await files.inspect(otherId)).toMatchObject({ turn: { kind: 'cut', at: 'prompt' } });
    await files.prepare(sessionId, 'prompt');
    expect(localUuids()).toEqual(uuidsOf([question, answer]));
  });

  it('loads the conversation once for looking at it and for making it ready', async () => {
    await store.append(key, [question, answer]);
    writeLocal([question, answer]);
    await files.inspect(sessionId);
    await files.inspect(sessionId);
    await files.prepare(sessionId, 'prompt');
    expect(store.loads).toBe(1);
  });
});
