import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { errorCode } from '../files/error-code.ts';
import { isBusy } from './sqlite-errors.ts';
import { waitSync } from './wait-sync.ts';

/** A new holder writes its name right after it got the lock; this long is waited for it. */
const nameWaitMs = 300;
const pollMs = 10;

const holderSchema = z.object({ pid: z.number(), since: z.string(), what: z.string() });

/** Who holds a lock, as it said of itself. */
export interface LockHolder {
  readonly pid: number;
  /** ISO time of the holder's start. */
  readonly since: string;
  readonly what: string;
}

/** A lock in our hands, until `release` or the end of this process, however it ends. */
export interface ProcessLock {
  readonly path: string;
  /** Gives the lock back. A second call does nothing. */
  release(): void;
}

/** Somebody else has the lock; `holder` is null when it left no readable name. */
export interface LockRefusal {
  readonly holder: LockHolder | null;
}

/**
 * Held locks by connection: a connection without references would be collected, and the lock with it.
 */
const held = new Set<Database.Database>();

/**
 * Takes a lock between processes, without waiting for its holder.
 *
 * The operating system frees it at the owner's death, `kill -9` included, even while the owner's
 * children live on. The same process cannot take it twice. The holder's name stands beside the
 * lock in `<path>.json`; it tells nothing unless the lock is refused. Makes the folder as needed.
 *
 * @param path - From `lockPath`.
 * @returns the lock, or who has it: `'holder' in result` tells them apart.
 * @throws the file system's or SQLite's error when the lock file cannot be used.
 */
export function acquireProcessLock(path: string, self: LockHolder): ProcessLock | LockRefusal {
  const deadline = Date.now() + nameWaitMs;
  for (;;) {
    const connection = tryLock(path);
    if (connection !== undefined) return hold(path, connection, self);
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder.pid)) return { holder };
    if (Date.now() >= deadline) return { holder };
    waitSync(pollMs);
  }
}

/**
 * True while another process holds the lock. Looks only: makes no file and leaves no name.
 */
export function isProcessLockHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  const connection = tryLock(path);
  connection?.close();
  return connection === undefined;
}

/** Who holds a lock, as it said of itself; `null` when it left no readable name. */
export function readLockHolder(path: string): LockHolder | null {
  return readHolder(path);
}

/**
 * Runs `work` while this process has the lock at `path`, waiting for it up to `timeoutMs`.
 *
 * @throws SQLite's `SQLITE_BUSY` when the time is over; what `work` throws.
 */
export function withLockFile<Result>(path: string, timeoutMs: number, work: () => Result): Result {
  const connection = lockExclusively(path, timeoutMs);
  try {
    return work();
  } finally {
    connection.close();
  }
}

function hold(path: string, connection: Database.Database, self: LockHolder): ProcessLock {
  const { pid, since, what } = self;
  try {
    // Not synced: the name is worth nothing once the lock is free, as it is after a power cut.
    writeFileSync(holderPath(path), `${JSON.stringify({ pid, since, what })}\n`, { mode: 0o600 });
  } catch (error) {
    connection.close();
    throw error;
  }
  held.add(connection);
  return {
    path,
    release: () => {
      if (!held.delete(connection)) return;
      rmSync(holderPath(path), { force: true });
      connection.close();
    },
  };
}

function tryLock(path: string): Database.Database | undefined {
  try {
    return lockExclusively(path, 0);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The lock is held as long as the connection is open. */
function lockExclusively(path: string, timeoutMs: number): Database.Database {
  createLockFile(path);
  const connection = new Database(path, { timeout: timeoutMs });
  try {
    // Nothing is ever written into a lock file, so a journal beside it would only be litter.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function createLockFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function holderPath(path: string): string {
  return `${path}.json`;
}

function readHolder(path: string): LockHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderPath(path), 'utf8')));
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
