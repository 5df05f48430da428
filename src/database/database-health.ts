import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { countDamagedTexts } from './check-health.ts';
import { migrations } from './migrations.ts';
import { isBusy, isDamage } from './sqlite-errors.ts';

/** How a run database stands. */
export type DatabaseHealth =
  | { readonly kind: 'absent' | 'locked' }
  | { readonly kind: 'damaged'; readonly detail: string }
  /** Of a newer flower, or of an older one or a Python flower: opening it brings that up to date. */
  | { readonly kind: 'newer' | 'older'; readonly version: number }
  | { readonly kind: 'sound'; readonly bytes: number; readonly freeBytes: number };

/** Looks through the whole database: structure and texts. Looks only; takes time with its size. */
export function databaseHealth(path: string): DatabaseHealth {
  if (!existsSync(path)) return { kind: 'absent' };
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: true, fileMustExist: true, timeout: 1_000 });
    return healthOf(connection, path);
  } catch (error) {
    if (isBusy(error)) return { kind: 'locked' };
    if (!isDamage(error)) throw error;
    return { kind: 'damaged', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    connection?.close();
  }
}

/** Size of a database with its log. */
export function databaseBytes(path: string): number {
  return ['', '-wal']
    .map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

function healthOf(connection: Database.Database, path: string): DatabaseHealth {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const verdict: unknown = connection.pragma('integrity_check(1)', { simple: true });
  if (verdict !== 'ok') return { kind: 'damaged', detail: String(verdict) };
  if (version > migrations.length) return { kind: 'newer', version };
  if (version < migrations.length) return { kind: 'older', version };
  const damaged = countDamagedTexts(connection);
  if (damaged > 0) return { kind: 'damaged', detail: `unreadable texts: ${damaged}` };
  const free = Number(connection.pragma('freelist_count', { simple: true }));
  const page = Number(connection.pragma('page_size', { simple: true }));
  return { kind: 'sound', bytes: databaseBytes(path), freeBytes: free * page };
}
