import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { Lineage, type LineageOptions } from './lineage.ts';

const temporaryDirectory = temporaryDirectories();
const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';
const databases: RunDatabase[] = [];
let root: string;
let workspace: string;
let path: string;
let failures: unknown[];

beforeEach(() => {
  root = realpathSync(temporaryDirectory());
  workspace = join(root, 'workspace');
  path = join(root, 'lineage.json');
  failures = [];
  mkdirSync(workspace);
});

afterEach(() => {
  for (const database of databases.splice(0)) database.close();
});

/** Another opening of the same directory, as another process does it. */
function open(options: Partial<LineageOptions> = {}): Lineage {
  const database = openRunDatabase(join(root, 'sessions.db'));
  databases.push(database);
  return Lineage.open({
    database,
    path,
    workspace,
    onWriteFailure: (error) => failures.push(error),
    ...options,
  });
}

function file(): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function foreign(content: unknown): void {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('Lineage', () => {
  it('a new directory starts from nothing and the file has the shape of the seeds', () => {
    const lineage = open();
    expect(lineage.bump()).toBe(1);
    lineage.remember('work', first);
    lineage.flush();
    expect(file()).toEqual({ workspace, woke: 1, steps: { work: first } });
    expect(lineage.absence).toBeUndefined();
  });

  it('comes back at the next opening, also when the file had no time to be written', () => {
    const lineage = open();
    lineage.bump();
    lineage.remember('work', first);
    expect(existsSync(path)).toBe(false);
    const next = open();
    expect(next.steps).toEqual({ work: first });
    expect(next.bump()).toBe(2);
  });

  it('a proposed id stands beside the old one until it is remembered', () => {
    const lineage = open();
    lineage.remember('work', first);
    lineage.propose('work', second);
    expect(lineage.steps).toEqual({ work: first });
    expect([lineage.sessionOf('work'), lineage.pendingOf('work')]).toEqual([first, second]);
    lineage.remember('work', second);
    expect([lineage.sessionOf('work'), lineage.pendingOf('work')]).toEqual([second, undefined]);
  });

  it('a proposed id alone is already in the file', () => {
    const lineage = open();
    lineage.propose('work', first);
    lineage.flush();
    expect(file()).toMatchObject({ steps: { work: first } });
  });

  it.each(['', 'not-an-id'])('remembers no %j', (id) => {
    const lineage = open();
    lineage.remember('work', id);
    expect(lineage.steps).toEqual({});
  });

  it('forgets a step', () => {
    const lineage = open();
    lineage.remember('work', first);
    lineage.forget('work');
    expect(lineage.steps).toEqual({});
  });

  it('two openings on two connections never lose an entry', () => {
    const [left, right] = [open(), open()];
    for (let count = 0; count < 20; count += 1) {
      left.remember(`left-${count}`, first);
      right.remember(`right-${count}`, second);
      if (count % 3 === 0) left.flush();
      if (count % 4 === 0) right.flush();
    }
    left.flush();
    right.flush();
    expect(Object.keys(left.steps)).toHaveLength(40);
    expect(file()).toEqual({ workspace, woke: 0, steps: open().steps });
  });

  it('a workspace that is reached by a symlink is the same', () => {
    const link = join(root, 'link');
    symlinkSync(workspace, link);
    foreign({ workspace: link, woke: 4, steps: { work: first } });
    expect(open()).toMatchObject({ woke: 4, steps: { work: first }, absence: undefined });
  });

  it('an edited file wins over the database', () => {
    const lineage = open();
    lineage.remember('work', first);
    lineage.remember('other', first);
    lineage.flush();
    foreign({ workspace, woke: 9, steps: { work: second } });
    expect(open()).toMatchObject({ woke: 9, steps: { work: second } });
  });

  it('what an edited file said is not said twice: later changes count', () => {
    foreign({ workspace, woke: 1, steps: { work: first } });
    open().remember('work', second);
    expect(open().steps).toEqual({ work: second });
  });

  it('a file whose writing was cut by a kill is no edit', () => {
    const lineage = open();
    lineage.remember('work', first);
    lineage.propose('work', second);
    const { epoch } = lineage;
    foreign(`${JSON.stringify({ workspace, woke: 0, steps: { work: first } }, null, 2)}\n`);
    const next = open();
    expect(next.epoch).toBe(epoch);
    expect(next.pendingOf('work')).toBe(second);
  });
});

describe('mismatch is absence', () => {
  const seed = (): void => {
    const lineage = open();
    lineage.bump();
    lineage.remember('work', first);
    lineage.flush();
  };

  it('a file that was taken away starts from nothing', () => {
    seed();
    rmSync(path);
    const lineage = open();
    expect(lineage).toMatchObject({ woke: 0, steps: {}, absence: undefined });
  });

  it.each(['{"workspace":', '[]', 'null', '', '\0\0\0', '{"woke":1}'])(
    'a damaged file (%j) is set aside and starts from nothing',
    (text) => {
      seed();
      foreign(text);
      const { absence, steps, woke } = open();
      expect({ steps, woke }).toEqual({ steps: {}, woke: 0 });
      expect(absence).toMatchObject({ reason: 'damaged' });
      expect(readFileSync(absence?.setAside ?? '', 'utf8')).toBe(text);
    },
  );

  it('a folder in place of the file is set aside', () => {
    mkdirSync(path);
    const lineage = open();
    lineage.bump();
    lineage.flush();
    expect(lineage.absence).toMatchObject({ reason: 'damaged' });
    expect(file()).toMatchObject({ woke: 1 });
  });

  it('another workspace starts from nothing and its file is set aside', () => {
    seed();
    const other = join(root, 'other');
    mkdirSync(other);
    const { absence, steps, woke } = open({ workspace: other });
    expect({ steps, woke }).toEqual({ steps: {}, woke: 0 });
    expect(absence).toMatchObject({ reason: 'other-workspace', workspace });
    expect(JSON.parse(readFileSync(absence?.setAside ?? '', 'utf8'))).toMatchObject({
      steps: { work: first },
    });
  });

  it('a moved workspace goes on when that is asked for', () => {
    seed();
    const moved = join(root, 'moved');
    renameSync(workspace, moved);
    const lineage = open({ workspace: moved, moved: true });
    expect(lineage).toMatchObject({
      woke: 1,
      steps: { work: first },
      absence: undefined,
      movedFrom: workspace,
    });
  });

  it('a lost database keeps what the file says', () => {
    seed();
    for (const database of databases.splice(0)) database.close();
    rmSync(join(root, 'sessions.db'));
    expect(open()).toMatchObject({ woke: 1, steps: { work: first } });
  });

  it('ids that are none are left out, and the file that held them is kept', () => {
    foreign({ workspace, woke: 2, steps: { work: first, odd: 'x', older: 7 } });
    const lineage = open();
    expect(lineage.steps).toEqual({ work: first });
    expect(lineage.absence).toMatchObject({ reason: 'damaged' });
    expect(open().steps).toEqual({ work: first });
  });
});

describe('a write that fails', () => {
  it('is told and loses nothing', () => {
    path = join(root, 'later', 'lineage.json');
    const lineage = open();
    lineage.bump();
    lineage.remember('work', first);
    lineage.flush();
    expect(failures).toHaveLength(1);
    mkdirSync(join(root, 'later'));
    const next = open();
    expect(next.steps).toEqual({ work: first });
    next.bump();
    next.flush();
    expect(file()).toEqual({ workspace, woke: 2, steps: { work: first } });
  });
});

describe('archive', () => {
  it('moves the file and the extras, zeroes steps and woke, and keeps the database', () => {
    const lineage = open();
    lineage.bump();
    lineage.remember('work', first);
    const brief = join(root, 'brief.md');
    writeFileSync(brief, 'the brief');
    const folder = lineage.archive(join(root, 'archive'), {
      extra: [brief, join(root, 'missing.md')],
    });
    lineage.flush();
    expect(basename(folder)).toMatch(/^\d{8}-\d{6}$/);
    expect(readdirSync(folder).sort()).toEqual(['brief.md', 'lineage.json']);
    expect(JSON.parse(readFileSync(join(folder, 'lineage.json'), 'utf8'))).toMatchObject({
      woke: 1,
      steps: { work: first },
    });
    expect(lineage).toMatchObject({ woke: 0, steps: {} });
    expect(file()).toEqual({ workspace, woke: 0, steps: {} });
  });

  it('two histories closed in one second get two folders', () => {
    const lineage = open();
    const folders = [1, 2, 3].map((count) => {
      lineage.remember(`step-${count}`, first);
      return lineage.archive(join(root, 'archive'));
    });
    expect(new Set(folders).size).toBe(3);
    for (const folder of folders) expect(readdirSync(folder)).toEqual(['lineage.json']);
  });
});
