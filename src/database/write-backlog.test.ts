import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import { WriteBacklog } from './write-backlog.ts';

const temporaryDirectory = temporaryDirectories();
let database: RunDatabase;
let other: RunDatabase;
let troubles: unknown[];
let backlog: WriteBacklog;

beforeEach(() => {
  const path = join(temporaryDirectory(), 'sessions.db');
  database = openRunDatabase(path, { busyTimeoutMs: 10 });
  other = openRunDatabase(path);
  troubles = [];
  backlog = new WriteBacklog(database, (error) => troubles.push(error));
});

afterEach(() => {
  database.close();
  other.close();
});

function add(name: string): () => void {
  return () => {
    database.connection
      .prepare('INSERT INTO session_takeovers (store_key, next_sequence) VALUES (?, 1)')
      .run(name);
  };
}

function names(): unknown[] {
  return database.connection
    .prepare('SELECT store_key FROM session_takeovers ORDER BY store_key')
    .pluck()
    .all();
}

/** Does `work` while another process has the write lock. */
function whileLocked(work: () => void): void {
  other.connection.exec('BEGIN IMMEDIATE');
  try {
    work();
  } finally {
    other.connection.exec('ROLLBACK');
  }
}

describe('WriteBacklog', () => {
  it('writes at once when the disk takes it', () => {
    expect(backlog.keep('a', add('a'))).toBe(true);
    expect(backlog.try(add('b'))).toBe(true);
    expect(names()).toEqual(['a', 'b']);
    expect(troubles).toEqual([]);
  });

  it('keeps what could not be written and writes it with the next', () => {
    whileLocked(() => expect(backlog.keep('a', add('a'))).toBe(false));
    expect(names()).toEqual([]);
    expect(backlog.keep('b', add('b'))).toBe(true);
    expect(names()).toEqual(['a', 'b']);
  });

  it('writes only the last of a name', () => {
    whileLocked(() => {
      backlog.keep('row', add('old'));
      backlog.keep('row', add('new'));
    });
    expect(backlog.flush()).toBe(true);
    expect(names()).toEqual(['new']);
  });

  it('forgets what was only tried', () => {
    whileLocked(() => expect(backlog.try(add('a'))).toBe(false));
    backlog.flush();
    expect(names()).toEqual([]);
  });

  it('tells of an outage once, and of the next one again', () => {
    whileLocked(() => {
      backlog.keep('a', add('a'));
      backlog.keep('b', add('b'));
      backlog.try(add('c'));
    });
    expect(troubles).toHaveLength(1);
    backlog.flush();
    whileLocked(() => backlog.keep('d', add('d')));
    expect(troubles).toHaveLength(2);
  });

  it('throws what is no trouble with the disk, and does not stumble over it again', () => {
    const broken = (): void => {
      throw new Error('broken');
    };
    expect(() => backlog.keep('broken', broken)).toThrow('broken');
    expect(backlog.keep('a', add('a'))).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('is part of a transaction that is open', () => {
    const attempt = (): void =>
      database.immediate(() => {
        backlog.keep('a', add('a'));
        throw new Error('undone');
      });
    expect(attempt).toThrow('undone');
    expect(names()).toEqual([]);
  });
});
