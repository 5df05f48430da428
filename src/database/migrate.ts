import type { Database } from 'better-sqlite3';
import { FlowerError } from '../errors/flower-error.ts';
import { migrations } from './migrations.ts';

/**
 * Brings the schema to this flower's version, one transaction a step.
 *
 * Safe from several processes at once: the version is read again under the write lock.
 *
 * @throws FlowerError `database-newer` when a newer flower went further meanwhile.
 */
export function migrate(connection: Database, path: string): void {
  for (const [index, migration] of migrations.entries()) {
    if (readVersion(connection) > index) continue;
    const apply = connection.transaction(() => {
      if (readVersion(connection) > index) return;
      connection.exec(migration.sql);
      connection.pragma(`user_version = ${index + 1}`);
    });
    apply.immediate();
  }
  requireKnownVersion(connection, path);
}

/**
 * Refuses a file whose schema is of a newer flower; to be asked before anything is changed in it.
 *
 * @throws FlowerError `database-newer`
 */
export function requireKnownVersion(connection: Database, path: string): void {
  const version = readVersion(connection);
  if (version > migrations.length) throw new FlowerError('database-newer', { path, version });
}

function readVersion(connection: Database): number {
  return Number(connection.pragma('user_version', { simple: true }));
}
