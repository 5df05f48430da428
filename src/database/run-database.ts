import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { FlowerError } from '../errors/flower-error.ts';
import { errorCode } from '../files/error-code.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { setAside } from '../files/set-aside.ts';
import { checkHealth } from './check-health.ts';
import { migrate, requireKnownVersion } from './migrate.ts';
import { withLockFile } from './process-lock.ts';
import { lockPath } from './lock-path.ts';
import { salvageDatabase } from './salvage.ts';
import { isBusy, isDamage } from './sqlite-errors.ts';
import { clearSuspect } from './suspect.ts';
import { requireSafeSqlite } from './sqlite-version.ts';
import { waitSync } from './wait-sync.ts';

const defaultBusyTimeoutMs = 10_000;
/** How long the processes that open the same file before this one may take together. */
const openTimeoutMs = 30_000;
const companions = ['-wal', '-shm'] as const;
const unwritable =
  /^(SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR)|E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOSPC|DQUOT|FBIG|IO)$)/;

/** How {@link openRunDatabase} opens. */
export interface RunDatabaseOptions {
  /**
   * How long one statement waits for another process's lock.
   *
   * @defaultValue 10000
   */
  readonly busyTimeoutMs?: number;
  /**
   * Called once, before the return, when a damaged database was moved away, with the number of rows
   * that could be taken over from it; must not throw.
   */
  readonly onSetAside?: (path: string, rows: number) => void;
}

/** The open `sessions.db` of a run directory: one connection, the current schema. */
export interface RunDatabase {
  readonly path: string;
  /** The connection itself, for prepared statements. */
  readonly connection: Database.Database;
  /**
   * Runs `work` in one write transaction; on disk when it returns. Takes the write lock first, so
   * what `work` reads stays true until it writes. Inside another transaction it is a savepoint.
   *
   * @throws what `work` throws, after a rollback; SQLite's error when the lock is not to be had.
   */
  immediate<Result>(work: () => Result): Result;
  /**
   * Runs `work`, whose transactions need not survive a power cut: for what only concerns processes
   * that live. Others see it at once and the death of this process changes nothing; the next
   * transaction outside of it puts all on disk. Inside a transaction it only runs `work`.
   *
   * @throws what `work` throws.
   */
  relaxed<Result>(work: () => Result): Result;
  /**
   * Adds a condition of every write: called inside each transaction of `immediate` before its work;
   * what it throws rolls the transaction back. Call the returned function to take it away.
   */
  addGuard(guard: () => void): () => void;
  /** Closes the connection. Once closed, nothing happens. */
  close(): void;
}

/**
 * Opens the run database, making folder, file and schema as needed.
 *
 * WAL with `synchronous=FULL`: a transaction that returned survives a power cut. The files are
 * readable by their owner alone from the start. Several processes may open a new file at the same
 * moment. A damaged database is moved aside whole, and a fresh one opened in its place that holds
 * what can still be read of it.
 *
 * @throws FlowerError `database-newer`, `run-dir-unwritable`, or `option-invalid` for a SQLite
 *   library that is not safe with several processes.
 */
export function openRunDatabase(path: string, options: RunDatabaseOptions = {}): RunDatabase {
  try {
    ensurePrivateDirectory(dirname(path));
    return wrap(path, openAlone(path, options));
  } catch (error) {
    if (!unwritable.test(errorCode(error))) throw error;
    const detail = error instanceof Error ? error.message : errorCode(error);
    throw new FlowerError('run-dir-unwritable', { path: dirname(path), detail }, { cause: error });
  }
}

function wrap(path: string, connection: Database.Database): RunDatabase {
  const guards = new Set<() => void>();
  return {
    path,
    connection,
    immediate: (work) =>
      connection
        .transaction(() => {
          for (const guard of guards) guard();
          return work();
        })
        .immediate(),
    relaxed: (work) => {
      if (connection.inTransaction) return work();
      connection.pragma('synchronous = NORMAL');
      try {
        return work();
      } finally {
        connection.pragma('synchronous = FULL');
      }
    },
    addGuard: (guard) => {
      guards.add(guard);
      return () => {
        guards.delete(guard);
      };
    },
    close: () => {
      connection.close();
    },
  };
}

/**
 * One process at a time: SQLite finds the log by the name of the database, so nobody may be about
 * to open it while somebody else moves the files away.
 */
function openAlone(path: string, options: RunDatabaseOptions): Database.Database {
  const lock = lockPath(dirname(path), `open ${basename(path)}`);
  return withLockFile(lock, openTimeoutMs, () => openSound(path, options));
}

function openSound(path: string, options: RunDatabaseOptions): Database.Database {
  const connection = connect(path, options);
  try {
    return prepare(connection, path, options);
  } catch (error) {
    if (!isDamage(error)) throw closed(connection, error);
  }
  const target = setAside(path, 'damaged', { companions });
  // Closed only now: it would have written the log into the file, had that stood in its place.
  connection.close();
  clearSuspect(path);
  const fresh = connect(path, options);
  try {
    prepare(fresh, path, options);
  } catch (error) {
    throw closed(fresh, error);
  }
  options.onSetAside?.(target, refill(fresh, target));
  return fresh;
}

/** Number of rows taken over: none when not even the list of tables can be read. */
function refill(fresh: Database.Database, target: string): number {
  try {
    return salvageDatabase(fresh, target).rows;
  } catch {
    return 0;
  }
}

function closed(connection: Database.Database, error: unknown): unknown {
  connection.close();
  return error;
}

function connect(path: string, options: RunDatabaseOptions): Database.Database {
  makePrivate(path);
  return new Database(path, { timeout: options.busyTimeoutMs ?? defaultBusyTimeoutMs });
}

function prepare(
  connection: Database.Database,
  path: string,
  options: RunDatabaseOptions,
): Database.Database {
  requireSafeSqlite(connection.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '');
  requireKnownVersion(connection, path);
  useWal(connection, options.busyTimeoutMs ?? defaultBusyTimeoutMs);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  checkHealth(connection, path);
  migrate(connection, path);
  return connection;
}

/**
 * Creates the file before SQLite does, so that it is 0600 from birth; `-wal` and `-shm` take over
 * its permissions. Never opens one that exists: closing any handle of a file drops all locks that
 * this process holds on it.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    for (const suffix of ['', ...companions]) narrowMode(path + suffix);
  }
}

function narrowMode(path: string): void {
  try {
    const stats = statSync(path);
    if (stats.isFile() && (stats.mode & 0o077) !== 0) chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    // Gone by now, or another user's file: SQLite says whether it can be used.
    if (!['ENOENT', 'EPERM', 'ENOTDIR'].includes(errorCode(error))) throw error;
  }
}

/** The switch to WAL does not wait by `busy_timeout` when two processes do it at once. */
function useWal(connection: Database.Database, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      waitSync(10);
    }
  }
}
