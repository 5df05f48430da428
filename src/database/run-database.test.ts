import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { FlowerError } from '../errors/flower-error.ts';
import { endForkedScripts, forkReadyScripts } from '../files/__fixtures__/fork-script.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { migrations } from './migrations.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';

const makeDirectory = temporaryDirectories();
const opened: RunDatabase[] = [];
afterEach(() => {
  endForkedScripts();
  for (const database of opened.splice(0)) database.close();
});

const openAndWrite = new URL('./__fixtures__/open-and-write.ts', import.meta.url);

function open(...args: Parameters<typeof openRunDatabase>): RunDatabase {
  const database = openRunDatabase(...args);
  opened.push(database);
  return database;
}

function addRow(database: RunDatabase, name: string): void {
  database.connection
    .prepare('INSERT INTO session_takeovers (store_key, next_sequence) VALUES (?, 1)')
    .run(name);
}

function rowNames(database: RunDatabase): unknown[] {
  return database.connection.prepare('SELECT store_key FROM session_takeovers').pluck().all();
}

/** A closed database of about `rows` x 4 kB. */
function makeFilled(path: string, rows: number): void {
  const database = openRunDatabase(path);
  database.connection.exec('CREATE TABLE bulk (text)');
  const insert = database.connection.prepare('INSERT INTO bulk (text) VALUES (?)');
  database.immediate(() => {
    for (let row = 0; row < rows; row += 1) insert.run('x'.repeat(4000));
  });
  database.close();
}

function overwrite(path: string, offset: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, offset, Math.min(offset + length, bytes.length));
  writeFileSync(path, bytes);
}

function codeOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return FlowerError.is(error) ? error.code : error;
  }
}

describe('openRunDatabase', () => {
  it('makes the run directory, hidden from git, and a current schema', () => {
    const runDir = join(makeDirectory(), 'runs');
    const { connection } = open(join(runDir, 'sessions.db'));
    expect(readFileSync(join(runDir, '.gitignore'), 'utf8')).toBe('*\n');
    expect(connection.pragma('user_version', { simple: true })).toBe(migrations.length);
  });

  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['busy_timeout', 4321],
    ['mmap_size', 0],
  ])('sets %s to %s', (name, value) => {
    const { connection } = open(join(makeDirectory(), 'a.db'), { busyTimeoutMs: 4321 });
    expect(connection.pragma(name, { simple: true })).toBe(value);
  });

  it('keeps its files readable by the owner alone, whatever the umask', () => {
    const folder = makeDirectory();
    const before = process.umask(0);
    try {
      addRow(open(join(folder, 'a.db')), 'row');
    } finally {
      process.umask(before);
    }
    const modes = readdirSync(folder)
      .filter((name) => name.startsWith('a.db'))
      .map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(modes).toEqual([
      ['a.db', 0o600],
      ['a.db-shm', 0o600],
      ['a.db-wal', 0o600],
    ]);
  });

  it('narrows the permissions of an existing file', () => {
    const path = join(makeDirectory(), 'a.db');
    makeFilled(path, 1);
    chmodSync(path, 0o644);
    open(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('lets eight processes open and write a new file at the same moment', async () => {
    const path = join(makeDirectory(), 'runs', 'sessions.db');
    const { children } = await forkReadyScripts(openAndWrite, Array(8).fill([path]));
    for (const child of children) child.send('go');
    await Promise.all(children.map((child) => child.finished()));
    expect(rowNames(open(path)).sort()).toEqual(children.map((child) => `${child.pid}`).sort());
  }, 60_000);

  it('refuses a file of a newer version and changes nothing in it', () => {
    const path = join(makeDirectory(), 'a.db');
    const newer = new Database(path);
    newer.pragma(`user_version = ${migrations.length + 1}`);
    newer.close();
    const before = readFileSync(path);
    expect(codeOf(() => open(path))).toBe('database-newer');
    expect(readFileSync(path)).toEqual(before);
  });

  it('names the run directory when it cannot be written', () => {
    const folder = makeDirectory();
    writeFileSync(join(folder, 'file'), '');
    expect(codeOf(() => open(join(folder, 'file', 'sessions.db')))).toBe('run-dir-unwritable');
    expect(codeOf(() => open(join(folder, 'file', 'deep', 'a.db')))).toBe('run-dir-unwritable');
    expect(codeOf(() => open(folder))).toBe('run-dir-unwritable');
  });

  it('keeps tables that it does not know', () => {
    const path = join(makeDirectory(), 'sessions.db');
    const foreign = new Database(path);
    foreign.exec("CREATE TABLE entries (text); INSERT INTO entries VALUES ('kept')");
    foreign.close();
    const { connection } = open(path);
    expect(connection.prepare('SELECT text FROM entries').pluck().all()).toEqual(['kept']);
  });
});

describe('a damaged run database', () => {
  it.each<[string, number, (path: string) => void]>([
    ['that is no database', 5, (path) => writeFileSync(path, 'not a database\n'.repeat(100))],
    ['with a broken first page', 5, (path) => overwrite(path, 0, 4096)],
    ['with a broken schema', 5, (path) => overwrite(path, 100, 3000)],
    ['cut in half', 50, (path) => truncateSync(path, statSync(path).size / 2)],
    ['with broken pages inside', 50, (path) => overwrite(path, 100_000, 60_000)],
    ['that is big and cut', 3000, (path) => truncateSync(path, 10_000_000)],
    ['that is big with a broken end', 3000, (path) => overwrite(path, 9_000_000, 9_000_000)],
  ])('%s is set aside whole and replaced', (_what, rows, harm) => {
    const path = join(makeDirectory(), 'sessions.db');
    makeFilled(path, rows);
    harm(path);
    const damaged = readFileSync(path);
    const moved: string[] = [];
    const database = open(path, { onSetAside: (target) => moved.push(target) });
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatch(/sessions\.db\.damaged-\d{8}-\d{6}$/);
    // Not toEqual: it compares a big buffer byte by byte, for minutes.
    expect(readFileSync(moved[0] ?? '').equals(damaged)).toBe(true);
    addRow(database, 'fresh');
    expect(rowNames(database)).toEqual(['fresh']);
  });

  it('takes its -wal along, as it was', () => {
    const folder = makeDirectory();
    const path = join(folder, 'sessions.db');
    makeFilled(path, 50);
    const source = openRunDatabase(path);
    addRow(source, 'in the log only');
    const killed = join(folder, 'killed.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
    source.close();
    overwrite(killed, 100_000, 60_000);
    const before = ['', '-wal'].map((suffix) => readFileSync(killed + suffix));
    const moved: string[] = [];
    open(killed, { onSetAside: (target) => moved.push(target) });
    const after = ['', '-wal'].map((suffix) => readFileSync(`${moved[0]}${suffix}`));
    expect(Buffer.concat(after).equals(Buffer.concat(before))).toBe(true);
  });

  it('is set aside once when several processes find it', async () => {
    const folder = makeDirectory();
    const path = join(folder, 'sessions.db');
    makeFilled(path, 50);
    overwrite(path, 100_000, 60_000);
    const { children } = await forkReadyScripts(openAndWrite, Array(6).fill([path]));
    for (const child of children) child.send('go');
    const moved = await Promise.all(children.map((child) => child.next()));
    await Promise.all(children.map((child) => child.finished()));
    expect(moved.flat()).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => /\.damaged-[\d-]+$/.test(name))).toHaveLength(1);
    expect(rowNames(open(path))).toHaveLength(6);
  }, 60_000);

  it('is not what a sound one is taken for', () => {
    const path = join(makeDirectory(), 'sessions.db');
    makeFilled(path, 3000);
    const moved: string[] = [];
    const database = open(path, { onSetAside: (target) => moved.push(target) });
    expect(moved).toEqual([]);
    expect(database.connection.prepare('SELECT count(*) FROM bulk').pluck().get()).toBe(3000);
  });
});

describe('RunDatabase', () => {
  it('rolls back a transaction that throws', () => {
    const database = open(join(makeDirectory(), 'a.db'));
    const failing = (): void => {
      database.immediate(() => {
        addRow(database, 'half');
        throw new Error('stop');
      });
    };
    expect(failing).toThrow('stop');
    expect(rowNames(database)).toEqual([]);
  });

  it('undoes only the inner part when an inner transaction throws', () => {
    const database = open(join(makeDirectory(), 'a.db'));
    database.immediate(() => {
      addRow(database, 'outer');
      expect(() =>
        database.immediate(() => {
          addRow(database, 'inner');
          throw new Error('stop');
        }),
      ).toThrow('stop');
    });
    expect(rowNames(database)).toEqual(['outer']);
  });

  it('takes the write lock before the work reads', () => {
    const path = join(makeDirectory(), 'a.db');
    const first = open(path);
    const second = open(path, { busyTimeoutMs: 20 });
    const reads: string[] = [];
    first.immediate(() => {
      expect(() => {
        second.immediate(() => {
          reads.push('second');
        });
      }).toThrow('database is locked');
    });
    expect(reads).toEqual([]);
  });

  it('waits for the disk again after relaxed work, also when that throws', () => {
    const database = open(join(makeDirectory(), 'a.db'));
    const level = (): unknown => database.connection.pragma('synchronous', { simple: true });
    const normal = 1;
    const full = 2;
    expect(database.relaxed(level)).toBe(normal);
    expect(level()).toBe(full);
    expect(() =>
      database.relaxed(() => {
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(level()).toBe(full);
    expect(database.immediate(() => database.relaxed(level))).toBe(full);
  });

  it('can be closed twice', () => {
    const database = open(join(makeDirectory(), 'a.db'));
    database.close();
    database.close();
    expect(database.connection.open).toBe(false);
  });
});
