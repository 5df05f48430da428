import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { FlowerError } from '../errors/flower-error.ts';
import { syncDirectory } from '../files/sync-directory.ts';
import { lockPath } from './lock-path.ts';
import { migrations } from './migrations.ts';
import type { ReadOnlyConnection } from './open-read-only.ts';
import { withLockFile } from './process-lock.ts';

const companions = ['', '-wal', '-shm', '-journal'] as const;
const lockTimeoutMs = 30_000;

/** A run database that is being filled under another name. */
export interface DatabaseBuild {
  readonly connection: ReadOnlyConnection;
  /**
   * Brings the schema up to date and gives the database its name; whole and on disk when it
   * returns. `assertFree` is asked while nobody can open the place, and throws when it is taken.
   */
  finish(assertFree: () => void): void;
  /** Removes what is there so far; nothing after `finish`. */
  discard(): void;
}

/**
 * Starts a database beside the place `path`, with the schema that rows of `version` fit into.
 *
 * @throws FlowerError `database-newer` for a version that this flower does not know.
 */
export function buildDatabase(path: string, version: number): DatabaseBuild {
  if (version > migrations.length) throw new FlowerError('database-newer', { path, version });
  const temporary = `${path}.${process.pid}.import`;
  removeAll(temporary);
  closeSync(openSync(temporary, 'wx', 0o600));
  const connection = new Database(temporary);
  // Nothing of it counts before it is whole.
  connection.pragma('journal_mode = OFF');
  connection.pragma('synchronous = OFF');
  applyMigrations(connection, 0, version);
  connection.exec('BEGIN');
  return {
    connection,
    finish: (assertFree) => {
      connection.exec('COMMIT');
      applyMigrations(connection, version, migrations.length);
      connection.close();
      syncFile(temporary);
      giveName(temporary, path, assertFree);
    },
    discard: () => {
      connection.close();
      removeAll(temporary);
    },
  };
}

function applyMigrations(connection: ReadOnlyConnection, from: number, to: number): void {
  for (const migration of migrations.slice(from, to)) connection.exec(migration.sql);
  connection.pragma(`user_version = ${to}`);
}

function giveName(temporary: string, path: string, assertFree: () => void): void {
  const lock = lockPath(dirname(path), `open ${basename(path)}`);
  withLockFile(lock, lockTimeoutMs, () => {
    assertFree();
    for (const suffix of companions) if (suffix !== '') rmSync(path + suffix, { force: true });
    renameSync(temporary, path);
    syncDirectory(dirname(path));
  });
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeAll(path: string): void {
  for (const suffix of companions) rmSync(path + suffix, { force: true });
}
