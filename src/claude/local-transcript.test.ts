import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { TranscriptEntry } from '../transcript/entry.ts';
import {
  type LocalSession,
  mainTranscriptPath,
  sessionDirectory,
  subagentMetadataPath,
  subagentTranscriptPath,
} from './local-paths.ts';
import { readLocalTranscript, setAsideStub, writeLocalTranscript } from './local-transcript.ts';
import { leftoverResumeDirectories } from './resume-directories.ts';

const sessionId = '5f10e4a2-0000-4000-8000-0000000f0001';
const user: TranscriptEntry = {
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  message: { role: 'user' },
};
const answer: TranscriptEntry = {
  type: 'assistant',
  uuid: 'a1',
  parentUuid: 'u1',
  text: 'сад 🌱 \ud83d',
};
const metadata: TranscriptEntry = { type: 'agent_metadata', agentType: 'scout', toolUseId: 't1' };
const sidechain: TranscriptEntry = { type: 'user', uuid: 's1', isSidechain: true };
const scout = 'subagents/agent-a1';

let directory: string;
let session: LocalSession;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-local-'));
  session = { configDirectory: join(directory, 'config'), projectKey: '-srv-demo', sessionId };
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('writeLocalTranscript', () => {
  it('writes what readLocalTranscript reads', () => {
    const nested = 'subagents/workflows/wf_1/agent-b2';
    const subagents = new Map([
      [scout, [metadata, sidechain]],
      [nested, [{ ...metadata, agentType: 'worker' }, sidechain]],
    ]);

    expect(writeLocalTranscript(session, { main: [user, answer], subagents }, new Map())).toBe(
      'written',
    );

    const read = readLocalTranscript(session);
    expect(read).toMatchObject({ exists: true, damaged: 0, main: [user, answer] });
    expect(read.subagents).toEqual(subagents);
  });

  it('keeps files and folders private', () => {
    writeRows([user], [[scout, [metadata, sidechain]]]);

    const files = [
      mainTranscriptPath(session),
      subagentTranscriptPath(session, scout),
      subagentMetadataPath(session, scout),
    ];
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(files.map((path) => statSync(dirname(path)).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
  });

  it('turns the last metadata row of a subagent into its file beside the rows', () => {
    const newer = { ...metadata, description: 'found it' };
    writeRows([user], [[scout, [metadata, sidechain, newer]]]);

    const text = readFileSync(subagentMetadataPath(session, scout), 'utf8');
    expect(JSON.parse(text)).toEqual({
      agentType: 'scout',
      toolUseId: 't1',
      description: 'found it',
    });
    expect(readFileSync(subagentTranscriptPath(session, scout), 'utf8')).not.toContain('metadata');
  });

  it.each([
    ['grew', () => appendFileSync(mainTranscriptPath(session), '{"type":"user"}\n')],
    ['was touched', () => utimesSync(mainTranscriptPath(session), 1, 1)],
    ['was replaced', () => replaceFile(mainTranscriptPath(session))],
    ['went away', () => rmSync(mainTranscriptPath(session))],
    [
      'got a subagent',
      () => writeFileSync(subagentTranscriptPath(session, 'subagents/agent-z'), ''),
    ],
    ['lost a subagent', () => rmSync(subagentTranscriptPath(session, scout))],
  ])('writes nothing when the session %s since it was read', (_what, change) => {
    writeRows([user], [[scout, [metadata, sidechain]]]);
    const { stamp } = readLocalTranscript(session);
    change();
    const before = contentOf(session);

    const outcome = writeLocalTranscript(session, { main: [answer], subagents: new Map() }, stamp);

    expect(outcome).toBe('changed');
    expect(contentOf(session)).toEqual(before);
  });

  it('does not throw away a file that nobody read', () => {
    writeRows([user], []);

    expect(writeLocalTranscript(session, { main: [answer], subagents: new Map() }, new Map())).toBe(
      'changed',
    );
  });

  it('writes again over its own files', () => {
    writeRows([user], []);
    writeRows([user, answer], []);

    expect(readLocalTranscript(session).main).toEqual([user, answer]);
  });

  it('leaves other subagents and spilled tool results where they are', () => {
    const spilled = join(sessionDirectory(session), 'tool-results', 'b1.txt');
    writeRows([user], [[scout, [metadata, sidechain]]]);
    mkdirSync(dirname(spilled));
    writeFileSync(spilled, 'long output');

    writeRows([user, answer], []);

    expect(readFileSync(spilled, 'utf8')).toBe('long output');
    expect(readLocalTranscript(session).subagents.get(scout)).toEqual([metadata, sidechain]);
  });

  it('makes no file for a session without rows', () => {
    writeRows([], []);

    expect(existsSync(mainTranscriptPath(session))).toBe(false);
  });

  it.each(['../escape', '/etc/passwd', 'subagents/../../x', 'subagents//x', 'a\0b', ''])(
    'refuses the subpath %j before it writes anything',
    (subpath) => {
      const rows = { main: [user], subagents: new Map([[subpath, [sidechain]]]) };

      expect(() => writeLocalTranscript(session, rows, new Map())).toThrow(RangeError);
      expect(existsSync(mainTranscriptPath(session))).toBe(false);
    },
  );
});

describe('readLocalTranscript', () => {
  it('is empty for a session that was never there', () => {
    expect(readLocalTranscript(session)).toEqual({
      exists: false,
      main: [],
      subagents: new Map(),
      damaged: 0,
      stamp: new Map(),
    });
  });

  it('keeps the rows of a damaged file and counts what is lost', () => {
    writeRows([user], [[scout, [metadata, sidechain]]]);
    appendFileSync(mainTranscriptPath(session), '{"type":"assis');
    writeFileSync(subagentMetadataPath(session, scout), '{"agentTy');

    const read = readLocalTranscript(session);

    expect(read).toMatchObject({ damaged: 1, main: [user] });
    expect(read.subagents.get(scout)).toEqual([sidechain]);
  });

  it('knows a subagent by its metadata alone', () => {
    writeRows([user], [[scout, [metadata]]]);

    expect(readLocalTranscript(session).subagents).toEqual(new Map([[scout, [metadata]]]));
  });
});

describe('setAsideStub', () => {
  it.each([
    ['an empty file', ''],
    ['metadata rows only', '{"type":"queue-operation","operation":"enqueue"}\n'],
    ['a torn first row', '{"type":"user","mess'],
  ])('moves %s aside, unread by Claude Code and not lost', (_what, text) => {
    mkdirSync(dirname(mainTranscriptPath(session)), { recursive: true });
    writeFileSync(mainTranscriptPath(session), text);

    const target = setAsideStub(session) ?? '';

    expect(existsSync(mainTranscriptPath(session))).toBe(false);
    expect(target.endsWith('.jsonl')).toBe(false);
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  it('leaves a conversation alone', () => {
    writeRows([user], []);

    expect(setAsideStub(session)).toBeUndefined();
    expect(readLocalTranscript(session).main).toEqual([user]);
  });

  it('has nothing to do where there is no file', () => {
    expect(setAsideStub(session)).toBeUndefined();
  });
});

describe('leftoverResumeDirectories', () => {
  it('finds the folders that hold this session, the newest last', () => {
    const older = leftover('claude-resume-b', sessionId, 1_000);
    const newer = leftover('claude-resume-a', sessionId, 2_000);
    leftover('claude-resume-c', '00000000-0000-4000-8000-000000000000', 3_000);
    leftover('something-else', sessionId, 4_000);
    mkdirSync(join(directory, 'claude-resume-empty'));
    writeFileSync(join(directory, 'claude-resume-file'), '');

    const found = leftoverResumeDirectories(sessionId, directory);

    expect(found).toEqual([older, newer]);
    expect(found.map((left) => readLocalTranscript(left).main)).toEqual([[user], [user]]);
  });

  it('is empty without a temporary directory', () => {
    expect(leftoverResumeDirectories(sessionId, join(directory, 'none'))).toEqual([]);
  });
});

function writeRows(
  main: readonly TranscriptEntry[],
  subagents: readonly (readonly [string, readonly TranscriptEntry[]])[],
): void {
  const { stamp } = readLocalTranscript(session);
  expect(writeLocalTranscript(session, { main, subagents: new Map(subagents) }, stamp)).toBe(
    'written',
  );
}

function leftover(name: string, id: string, modifiedSeconds: number): LocalSession {
  const left = { configDirectory: join(directory, name), projectKey: '-srv-demo', sessionId: id };
  writeLocalTranscript(left, { main: [user], subagents: new Map() }, new Map());
  utimesSync(mainTranscriptPath(left), modifiedSeconds, modifiedSeconds);
  return left;
}

function replaceFile(path: string): void {
  const text = readFileSync(path);
  const { atime, mtime } = statSync(path);
  writeFileSync(`${path}.new`, text);
  rmSync(path);
  writeFileSync(path, text);
  rmSync(`${path}.new`);
  utimesSync(path, atime, mtime);
}

function contentOf(of: LocalSession): Record<string, string> {
  const root = dirname(mainTranscriptPath(of));
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((e) =>
    e.isFile(),
  );
  return Object.fromEntries(
    names.map((e) => join(e.parentPath, e.name)).map((path) => [path, readFileSync(path, 'utf8')]),
  );
}
