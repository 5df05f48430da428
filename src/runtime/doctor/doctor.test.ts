import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markVariable } from '../../claude/process-list.ts';
import { isAlive, processStart } from '../../claude/process-tree.ts';
import { projectKeyOf } from '../../claude/project-key.ts';
import { Lineage } from '../../continuity/lineage.ts';
import { announcePresence } from '../../continuity/process-presence.ts';
import { openRunDatabase, type RunDatabase } from '../../database/run-database.ts';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import { AttemptRows } from '../../ledger/attempt-rows.ts';
import { manifestRow } from '../../ledger/manifest-row.ts';
import { SqliteSessionStore } from '../../sessions/sqlite/sqlite-session-store.ts';
import { clean, type CleanOptions } from './clean.ts';
import { examine } from './examine.ts';

const temporaryDirectory = temporaryDirectories();
const day = 24 * 60 * 60_000;
const ids = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const [first = '', second = '', third = '', fourth = ''] = ids;
const children: ChildProcess[] = [];
let root: string;
let workspace: string;
let runDir: string;
let env: Record<string, string>;

beforeEach(() => {
  root = realpathSync(temporaryDirectory());
  workspace = join(root, 'workspace');
  runDir = join(root, 'runs');
  env = { CLAUDE_CONFIG_DIR: join(root, 'claude') };
  mkdirSync(workspace);
  mkdirSync(join(root, 'tmp'));
  vi.stubEnv('TMPDIR', join(root, 'tmp'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Works in the database as a run does; closed when it returns. */
async function inDatabase(
  work: (database: RunDatabase) => void | Promise<void>,
  now = Date.now(),
): Promise<void> {
  const database = openRunDatabase(join(runDir, 'sessions.db'));
  try {
    const store = new SqliteSessionStore(database, { now: () => now });
    await Promise.all([store.nextSequence({ projectKey: '', sessionId: '' }), work(database)]);
  } finally {
    database.close();
  }
}

/** A session of that age with rows of about `size` bytes. */
async function session(sessionId: string, ageDays: number, size = 1000): Promise<void> {
  await inDatabase(async (database) => {
    const now = (): number => Date.now() - ageDays * day;
    const store = new SqliteSessionStore(database, { now });
    const key = { projectKey: projectKeyOf(workspace), sessionId };
    const message = { role: 'user', content: 'x'.repeat(size) };
    // The store's clock never goes back.
    database.connection.prepare('UPDATE session_clock SET mtime = 0').run();
    await store.append(key, [{ type: 'user', uuid: sessionId, message }]);
  });
}

/** A lineage of the workspace with these sessions. */
async function lineage(steps: Readonly<Record<string, string>>): Promise<void> {
  await inDatabase((database) => {
    const path = join(runDir, 'lineage.json');
    const opened = Lineage.open({ database, path, workspace, onWriteFailure: () => undefined });
    opened.bump();
    for (const [step, id] of Object.entries(steps)) opened.remember(step, id);
    opened.flush();
  });
}

async function sessionsLeft(): Promise<string[]> {
  let left: string[] = [];
  await inDatabase(({ connection }) => {
    left = connection
      .prepare<[], string>('SELECT session_id FROM session_streams ORDER BY session_id')
      .pluck()
      .all();
  });
  return left;
}

async function codes(): Promise<string[]> {
  const { findings } = await examine({ workspace, runDir, env });
  return findings.map(({ level, code }) => `${level} ${code}`);
}

async function cleaned(options: Partial<CleanOptions> = {}): Promise<Record<string, number>> {
  const report = await clean({ workspace, runDir, env, ...options });
  return Object.fromEntries(report.cleaned.map(({ code, count }) => [code, count]));
}

/**
 * Everything of a folder, to see that nothing was changed. SQLite makes an empty log beside a
 * database that it reads.
 */
function pictureOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/\.db-(wal|shm)$/.test(name))
    .sort()
    .map((name) => {
      const stats = statSync(join(folder, name));
      return [name, stats.isFile() ? readFileSync(join(folder, name)).toString('base64') : ''];
    });
}

describe('examine', () => {
  it('says that nothing is there, and makes nothing', async () => {
    expect(await codes()).toEqual(['notice run-dir-absent']);
    expect(existsSync(runDir)).toBe(false);
  });

  it('finds nothing wrong with a sound directory, and changes nothing', async () => {
    await session(first, 0);
    await lineage({ work: first });
    const before = pictureOf(root);

    expect(await codes()).toEqual([
      'good database-sound',
      'good disk-free',
      'good lineage-sound',
      'good resumes',
    ]);
    expect(pictureOf(root)).toEqual(before);
  });

  it('sees a damaged database and leaves it as it is', async () => {
    await session(first, 0, 100_000);
    const path = join(runDir, 'sessions.db');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 40_960, 60_000);
    writeFileSync(path, bytes);

    expect(await codes()).toContain('problem database-damaged');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('sees a stored text that was written over', async () => {
    await session(first, 0);
    await inDatabase(({ connection }) => {
      connection.prepare("UPDATE session_entries SET payload = '{'").run();
    });
    expect(await codes()).toContain('problem database-damaged');
  });

  it.each([
    ['a moved one', true, 'notice lineage-moved'],
    ['a copied one', false, 'notice lineage-elsewhere'],
  ])('tells the lineage of %s', async (_what, isGone, code) => {
    await lineage({ work: first });
    const other = join(root, 'other');
    if (isGone) renameSync(workspace, other);
    else mkdirSync(other);
    workspace = other;
    expect(await codes()).toContain(code);
  });

  it('sees a damaged lineage', async () => {
    await lineage({ work: first });
    writeFileSync(join(runDir, 'lineage.json'), '{');
    expect(await codes()).toContain('problem lineage-damaged');
  });

  it('names the process that works here', async () => {
    await lineage({ work: first });
    const since = '2026-11-30T12:00:00.000Z';
    const presence = announcePresence(runDir, 'living', { pid: process.pid, since });
    const { findings } = await examine({ workspace, runDir, env });
    presence.end();
    expect(findings.find(({ code }) => code === 'run-live')?.params).toEqual({
      pid: process.pid,
      since,
    });
  });
});

describe('clean removes sessions', () => {
  it('that are old and that nothing refers to', async () => {
    for (const [id, age] of [
      [first, 40],
      [second, 40],
      [third, 20],
    ] as const) {
      await session(id, age);
    }
    await lineage({ work: first });
    expect(await cleaned()).toEqual({ 'old-sessions': 1 });
    expect(await sessionsLeft()).toEqual([first, third]);
  });

  it('by the age that is asked for', async () => {
    await session(first, 3);
    await session(second, 1);
    expect(await cleaned({ olderThanMs: 2 * day })).toEqual({ 'old-sessions': 1 });
    expect(await sessionsLeft()).toEqual([second]);
  });

  it('while the database is too big, the oldest first, never one of a lineage', async () => {
    for (const [id, age] of [
      [first, 4],
      [second, 3],
      [third, 2],
      [fourth, 1],
    ] as const) {
      await session(id, age, 300_000);
    }
    await lineage({ work: first });
    await cleaned({ largerThanBytes: 800_000 });
    expect(await sessionsLeft()).toEqual([first, fourth]);
  });

  it('but none that a step goes on in, that is proposed, or that stands in an open row', async () => {
    for (const id of ids) await session(id, 90);
    await lineage({ work: first });
    await inDatabase((database) => {
      const epoch = database.connection.prepare('SELECT epoch FROM lineages').pluck().get();
      database.connection
        .prepare("INSERT INTO lineage_sessions (epoch, key, pending_id) VALUES (?, 'next', ?)")
        .run(epoch, second);
      database.connection
        .prepare("INSERT INTO step_states VALUES ('', 'x', ?, 1, json_object('sessionId', ?))")
        .run(epoch, third);
      new AttemptRows(database).open(
        manifestRow.parse({ run: 'r', step: 's', session_id: fourth }),
        { pid: 0, start: '' },
      );
    });
    expect(await cleaned()).toEqual({});
    expect(await sessionsLeft()).toEqual(ids);
  });

  it('but none that only a lineage of another workspace refers to', async () => {
    await session(first, 90);
    await lineage({ work: first });
    const other = join(root, 'other');
    mkdirSync(other);
    expect(await cleaned({ workspace: other })).toEqual({});
    expect(await sessionsLeft()).toEqual([first]);
  });

  it('and gives the space back when that pays', async () => {
    await session(first, 90, 3_000_000);
    await session(second, 0);
    await lineage({ work: second });
    const before = statSync(join(runDir, 'sessions.db')).size;
    expect(await cleaned()).toEqual({ 'old-sessions': 1, 'free-space': 1 });
    expect(statSync(join(runDir, 'sessions.db')).size).toBeLessThan(before / 2);
  });
});

describe('clean', () => {
  it('is refused while a run lives there, and changes nothing', async () => {
    await session(first, 90);
    const presence = announcePresence(runDir, 'living', { pid: 4711, since: 'then' });
    await expect(clean({ workspace, runDir, env })).rejects.toMatchObject({
      code: 'busy',
      params: { pid: 4711, since: 'then' },
    });
    presence.end();
    expect(await sessionsLeft()).toEqual([first]);
  });

  it('ends agents whose host is dead, and no other', async () => {
    const [orphan, bystander] = ['orphan', 'bystander'].map((mark) => sleeper(mark));
    await inDatabase((database) => {
      const rows = new AttemptRows(database);
      rows.open(
        manifestRow.parse({ run: 'dead', step: 's' }),
        { pid: 999_999, start: 'gone' },
        segment('orphan', orphan),
      );
      rows.open(
        manifestRow.parse({ run: 'other', step: 's' }),
        { pid: process.pid, start: processStart(process.pid) ?? '' },
        segment('bystander', bystander),
      );
    });
    expect(await codes()).toEqual(
      expect.arrayContaining(['problem orphans', 'notice killed-rows']),
    );
    expect(await cleaned()).toEqual({ orphans: 1 });
    expect(isAlive(orphan?.pid ?? 0, orphan?.start ?? '')).toBe(false);
    expect(isAlive(bystander?.pid ?? 0, bystander?.start ?? '')).toBe(true);
  });

  it('removes what killed and mended runs left, when it is old enough', async () => {
    await session(first, 0);
    await lineage({ work: first });
    const hourAgo = new Date(Date.now() - 3_600_000);
    const leave = (path: string): string => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'x');
      utimesSync(path, hourAgo, hourAgo);
      return path;
    };
    const project = join(root, 'claude/projects', projectKeyOf(workspace));
    const gone = [
      leave(join(project, `${first}.jsonl.stub-20260101-000000`)),
      leave(join(runDir, 'lineage.json.other-workspace-20200101-000000')),
      leave(join(runDir, 'sessions.db.damaged-20200101-000000')),
      leave(join(runDir, 'sessions.db.damaged-20200101-000000-wal')),
      leave(join(runDir, 'locks/process-dead-0123456789abcdef.lock')),
      leave(join(runDir, 'locks/process-dead-0123456789abcdef.lock.json')),
      leave(join(runDir, '.probe-dead')),
    ];
    const kept = [
      leave(join(runDir, 'lineage.json.damaged-29990101-000000')),
      leave(join(runDir, 'notes.txt')),
      join(runDir, 'lineage.json'),
    ];

    expect(await cleaned()).toEqual({
      'stub-files': 1,
      'set-aside': 3,
      'dead-locks': 1,
      'temporary-files': 1,
    });
    expect(gone.filter(existsSync)).toEqual([]);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('takes in what a killed resume left before it removes its folder', async () => {
    await session(first, 0);
    await lineage({ work: first });
    const old = new Date(Date.now() - 3_600_000);
    const leave = (name: string, id: string): string => {
      const folder = join(root, 'tmp', name);
      const project = join(folder, 'projects', projectKeyOf(workspace));
      mkdirSync(project, { recursive: true });
      const row = { type: 'user', uuid: 'only-there', message: { role: 'user', content: 'Lost?' } };
      writeFileSync(join(project, `${id}.jsonl`), `${JSON.stringify(row)}\n`);
      utimesSync(folder, old, old);
      return folder;
    };
    const ours = leave('claude-resume-ours', first);
    const foreign = leave('claude-resume-foreign', second);

    expect(await cleaned()).toEqual({ 'resume-folders': 1 });
    expect([ours, foreign].map(existsSync)).toEqual([false, true]);
    await inDatabase(({ connection }) => {
      const found = connection
        .prepare("SELECT count(*) FROM session_entries WHERE uuid = 'only-there'")
        .pluck()
        .get();
      expect(found).toBe(1);
    });
  });

  it('only tells with dryRun, and changes nothing', async () => {
    await session(first, 90);
    await session(second, 0);
    await lineage({ work: second });
    writeFileSync(join(runDir, 'sessions.db.damaged-20200101-000000'), 'x');
    const before = pictureOf(root);
    expect(await cleaned({ dryRun: true })).toEqual({ 'set-aside': 1, 'old-sessions': 1 });
    expect(pictureOf(root)).toEqual(before);
  });

  it('mends a damaged database and keeps the damaged file', async () => {
    await session(first, 0);
    await session(second, 0, 200_000);
    const path = join(runDir, 'sessions.db');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, bytes.length - 60_000, bytes.length - 20_000);
    writeFileSync(path, bytes);

    expect(await cleaned({ dryRun: true })).toEqual({ 'database-mended': 1 });
    expect(await cleaned()).toEqual({ 'database-mended': 1 });

    expect(await codes()).toContain('good database-sound');
    expect(await sessionsLeft()).toContain(first);
    expect(readdirSync(runDir).filter((name) => /damaged-[\d-]+$/.test(name))).toHaveLength(1);
  });
});

function sleeper(mark: string): { readonly pid: number; readonly start: string } {
  const child = spawn('sleep', ['600'], {
    stdio: 'ignore',
    env: { ...process.env, [markVariable]: mark + root },
  });
  children.push(child);
  const pid = child.pid ?? 0;
  return { pid, start: processStart(pid) ?? '' };
}

function segment(
  mark: string,
  child: { readonly pid: number; readonly start: string } | undefined,
): Parameters<AttemptRows['open']>[2] {
  return {
    sessionId: first,
    projectKey: projectKeyOf(workspace),
    firstSequence: 0,
    subagents: {},
    mark: mark + root,
    pid: child?.pid ?? null,
    pidStart: child?.start ?? null,
  };
}
