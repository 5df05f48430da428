import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../../database/run-database.ts';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import { type OwnerPlace, SessionOwners } from './session-owners.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const temporaryDirectory = temporaryDirectories();
let root: string;
let database: RunDatabase;
let owners: SessionOwners;
let dotted: OwnerPlace;
let scored: OwnerPlace;

beforeEach(() => {
  root = realpathSync(temporaryDirectory());
  database = openRunDatabase(join(root, 'sessions.db'));
  owners = new SessionOwners(database);
  dotted = place('a.b', 'shared-key');
  scored = place('a_b', 'shared-key');
});

afterEach(() => database.close());

function place(name: string, projectKey: string): OwnerPlace {
  const workspace = join(root, name);
  mkdirSync(workspace, { recursive: true });
  return { workspace, projectKey };
}

async function addSession({ projectKey, workspace }: OwnerPlace, sessionId: string): Promise<void> {
  const rows = [{ type: 'mode' }, { type: 'user', uuid: sessionId, cwd: workspace }];
  await new SqliteSessionStore(database).append({ projectKey, sessionId }, rows);
}

function sessionsUnder(projectKey: string): unknown[] {
  return database.connection
    .prepare('SELECT session_id FROM session_streams WHERE project_key = ? ORDER BY session_id')
    .pluck()
    .all(projectKey);
}

describe('SessionOwners', () => {
  it('tells workspaces with one project key apart', () => {
    owners.claim(dotted, 's');
    expect([dotted, scored].map((it) => owners.belongs(it, 's'))).toEqual([true, false]);
  });

  it('leaves a session to its first owner', () => {
    owners.claim(dotted, 's');
    owners.claim(scored, 's');
    expect(owners.belongs(dotted, 's')).toBe(true);
  });

  it('knows the workspace under another name', () => {
    owners.claim(dotted, 's');
    const link = join(root, 'link');
    symlinkSync(dotted.workspace, link);
    database.connection.prepare('UPDATE session_owners SET workspace = ?').run(link);
    expect(owners.belongs(dotted, 's')).toBe(true);
  });

  it('gives a session without an owner to the directory in which it began', async () => {
    await addSession(dotted, 's');
    expect([dotted, scored].map((it) => owners.belongs(it, 's'))).toEqual([true, false]);
  });

  it('gives a session of which nothing is known to whoever asks', () => {
    expect(owners.belongs(dotted, 'unknown')).toBe(true);
  });

  it('moves the sessions of one workspace and leaves those of the other', async () => {
    await addSession(dotted, 'claimed');
    owners.claim(dotted, 'claimed');
    await addSession(dotted, 'born-there');
    await addSession(scored, 'foreign');
    const moved = place('moved', 'new-key');

    owners.relocate(dotted, moved, []);

    expect(sessionsUnder('new-key')).toEqual(['born-there', 'claimed']);
    expect(sessionsUnder('shared-key')).toEqual(['foreign']);
    expect(owners.belongs(moved, 'claimed')).toBe(true);
  });

  it('moves what the lineage names, whoever seems to own it', async () => {
    await addSession(scored, 's');
    const moved = place('moved', 'new-key');
    owners.relocate(dotted, moved, ['s']);
    expect(sessionsUnder('new-key')).toEqual(['s']);
    expect(owners.belongs(moved, 's')).toBe(true);
  });

  it('changes the owner where the key stays the same', () => {
    owners.claim(dotted, 's');
    owners.relocate(dotted, scored, []);
    expect([dotted, scored].map((it) => owners.belongs(it, 's'))).toEqual([false, true]);
  });
});
