import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDatabase } from '../database/run-database.ts';

/** What a run needs at the least to note how it began. */
const probeBytes = 64 * 1024;

/**
 * Writes something into the run directory and into its database, before anything is spent: rights
 * alone say nothing of a full disk.
 *
 * @throws the file system's or SQLite's error.
 */
export function assertWritable(runDir: string, run: string, database: RunDatabase): void {
  const path = join(runDir, `.probe-${run}`);
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, Buffer.alloc(probeBytes));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } finally {
    rmSync(path, { force: true });
  }
  database.immediate(() => {
    // The store's own clock only ever goes on, so one tick more means nothing.
    database.connection.prepare('UPDATE session_clock SET mtime = mtime + 1').run();
  });
}
