import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SessionFiles } from '../../claude/session-files.ts';
import { runProcesses } from '../../continuity/run-processes.ts';
import { databaseHealth } from '../../database/database-health.ts';
import { openReadOnly } from '../../database/open-read-only.ts';
import { openRunDatabase } from '../../database/run-database.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { SqliteSessionStore } from '../../sessions/sqlite/sqlite-session-store.ts';
import { diskError } from '../disk-error.ts';
import {
  type CleanedThing,
  type CleanGround,
  endOrphans,
  giveSpaceBack,
  removeLeftoverFiles,
  removeOldSessions,
  removeResumeFolders,
} from './clean-steps.ts';
import { defaultOldMs, type DoctorOptions, doctorPlace } from './doctor-options.ts';

/** What is removed. */
export interface CleanOptions extends DoctorOptions {
  /** Sessions and files that were set aside must be older than this. @defaultValue 30 days */
  readonly olderThanMs?: number;
  /**
   * While the database is bigger than this, the oldest sessions go, whatever their age.
   *
   * @defaultValue no limit
   */
  readonly largerThanBytes?: number;
  /** Only tell what would be done. @defaultValue `false` */
  readonly dryRun?: boolean;
}

/** What was done, or would be. */
export interface CleanReport {
  readonly workspace: string;
  readonly runDir: string;
  readonly dryRun: boolean;
  readonly cleaned: readonly CleanedThing[];
}

/**
 * Ends agents that outlived their process, removes leftovers, and removes old sessions that nothing
 * refers to: never one of a lineage, of a step that goes on or of an open row. A damaged database is
 * set aside and mended first. With `dryRun` nothing at all is changed.
 *
 * @throws FlowerError `busy` while a run lives in the directory, `workspace-missing`,
 *   `run-dir-unwritable`, `database-locked`, `database-newer`
 */
export async function clean(options: CleanOptions): Promise<CleanReport> {
  const place = doctorPlace(options);
  const { workspace, runDir } = place;
  const dryRun = options.dryRun ?? false;
  refuseLiving(runDir);
  const path = join(runDir, 'sessions.db');
  if (!existsSync(path)) return { workspace, runDir, dryRun, cleaned: [] };
  const ground = {
    place,
    before: place.now.getTime() - (options.olderThanMs ?? defaultOldMs),
    largestBytes: options.largerThanBytes,
    isReal: !dryRun,
  };
  try {
    const cleaned = dryRun ? await foresee(ground, path) : await act(ground, path);
    return { workspace, runDir, dryRun, cleaned };
  } catch (error) {
    throw diskError(error, runDir);
  }
}

function refuseLiving(runDir: string): void {
  const [living] = runProcesses(runDir).living;
  if (living !== undefined) throw new FlowerError('busy', { what: runDir, ...living });
}

type Ground = Omit<CleanGround, 'database' | 'takeIn'>;

async function act(ground: Ground, path: string): Promise<CleanedThing[]> {
  const mended: CleanedThing[] = [];
  const database = openRunDatabase(path, { onSetAside: (name) => mended.push(mendedThing(name)) });
  try {
    const { workspace, env } = ground.place;
    const store = new SqliteSessionStore(database);
    const files = new SessionFiles({ store, workspace, env });
    const takeIn = (sessionId: string): Promise<unknown> => files.takeIn(sessionId);
    return [...mended, ...(await steps({ ...ground, database, takeIn }))];
  } finally {
    database.close();
  }
}

/** A database that cannot be read would be mended first, so nothing more can be foretold of it. */
async function foresee(ground: Ground, path: string): Promise<CleanedThing[]> {
  if (databaseHealth(path).kind === 'damaged') return [mendedThing(path)];
  const connection = openReadOnly(path);
  if (connection === undefined) return [];
  try {
    const immediate = <Result>(work: () => Result): Result => work();
    const database = { connection, path, immediate };
    return await steps({ ...ground, database, takeIn: () => Promise.resolve() });
  } finally {
    connection.close();
  }
}

async function steps(ground: CleanGround): Promise<CleanedThing[]> {
  const done = [
    await endOrphans(ground),
    await removeResumeFolders(ground),
    ...removeLeftoverFiles(ground),
    removeOldSessions(ground),
  ];
  return [...done, giveSpaceBack(ground)].filter(({ count }) => count > 0);
}

function mendedThing(name: string): CleanedThing {
  return { code: 'database-mended', count: 1, bytes: 0, names: [name] };
}
