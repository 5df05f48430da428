import { rmSync, statfsSync } from 'node:fs';
import { endTree } from '../../claude/process-tree.ts';
import { databaseBytes } from '../../database/database-health.ts';
import type { RunDatabase } from '../../database/run-database.ts';
import { isBusy } from '../../database/sqlite-errors.ts';
import type { DoctorPlace } from './doctor-options.ts';
import type { LeftoverCode } from './finding.ts';
import { bytesOf, findLeftovers } from './leftovers.ts';
import { knownSessions, type OldSession, oldSessions } from './old-sessions.ts';
import { findDeadRuns } from './orphans.ts';

/** One kind of thing that was removed or ended. */
export interface CleanedThing {
  readonly code: LeftoverCode | 'orphans' | 'database-mended' | 'free-space';
  readonly count: number;
  readonly bytes: number;
  /** Paths, session ids or pids. */
  readonly names: readonly string[];
}

/** What the steps of a cleaning work with. */
export interface CleanGround {
  readonly place: DoctorPlace;
  readonly database: Pick<RunDatabase, 'connection' | 'path' | 'immediate'>;
  /** Sessions and files that were set aside must be older than this, in epoch milliseconds. */
  readonly before: number;
  /** The database may have this size. */
  readonly largestBytes: number | undefined;
  /** False: the steps only tell what they would do. */
  readonly isReal: boolean;
  /** Takes in what Claude Code's files hold of a session. */
  readonly takeIn: (sessionId: string) => Promise<unknown>;
}

/** Giving space back rewrites the whole file, so it must be worth it. */
const leastFreePart = 0.25;
const leastFreeBytes = 1_000_000;

/** Ends the agents whose host is dead. */
export async function endOrphans({ place, database, isReal }: CleanGround): Promise<CleanedThing> {
  const { trees } = findDeadRuns(database.connection, place.runDir);
  const pids = trees.flatMap((tree) => tree.pids);
  if (isReal) for (const { tree } of trees) await endTree(tree);
  return { code: 'orphans', count: pids.length, bytes: 0, names: pids.map(String) };
}

/** Removes the folders of killed resumes. Their rows are taken in first: they may be nowhere else. */
export async function removeResumeFolders(ground: CleanGround): Promise<CleanedThing> {
  const { resumeFolders } = leftoversOf(ground);
  const thing = {
    code: 'resume-folders' as const,
    ...measure(resumeFolders.map(({ path }) => path)),
  };
  if (!ground.isReal) return thing;
  for (const { path, sessionIds } of resumeFolders) {
    for (const id of sessionIds) await ground.takeIn(id);
    rmSync(path, { recursive: true, force: true });
  }
  return thing;
}

/** Removes files that killed and mended runs left behind. */
export function removeLeftoverFiles(ground: CleanGround): CleanedThing[] {
  return Object.entries(leftoversOf(ground).files).map(([code, paths]) => {
    const thing = { code: code as LeftoverCode, ...measure(paths) };
    if (ground.isReal) for (const path of paths) removeFile(path);
    return thing;
  });
}

/**
 * Removes old sessions. They are chosen and removed in one transaction: a run that begins meanwhile
 * keeps what it refers to.
 */
export function removeOldSessions(ground: CleanGround): CleanedThing {
  const { place, database, before, largestBytes, isReal } = ground;
  const { connection, path } = database;
  const removed = database.immediate(() => {
    const size = databaseBytes(path) - freeBytes(ground);
    const limits = { before, largestBytes, databaseBytes: size };
    const old = oldSessions(connection, place.runDir, limits);
    if (isReal) for (const session of old) removeSession(connection, session);
    return old;
  });
  return {
    code: 'old-sessions',
    count: removed.length,
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
    names: removed.map(({ sessionId }) => sessionId),
  };
}

/** Gives free pages back to the disk when that pays and the disk has room for the rewriting. */
export function giveSpaceBack(ground: CleanGround): CleanedThing {
  const { connection, path } = ground.database;
  const free = freeBytes(ground);
  const size = databaseBytes(path);
  const { bavail, bsize } = statfsSync(ground.place.runDir);
  const isWorthIt = free >= leastFreeBytes && free >= size * leastFreePart;
  const nothing: CleanedThing = { code: 'free-space', count: 0, bytes: 0, names: [path] };
  if (!ground.isReal || !isWorthIt || bavail * bsize < 2 * size) return nothing;
  try {
    connection.exec('VACUUM');
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isBusy(error)) throw error;
    return nothing;
  }
  return { ...nothing, count: 1, bytes: Math.max(0, size - databaseBytes(path)) };
}

function removeSession(
  connection: RunDatabase['connection'],
  { projectKey, sessionId }: OldSession,
): void {
  for (const table of ['session_streams', 'session_owners']) {
    connection
      .prepare(`DELETE FROM ${table} WHERE project_key = ? AND session_id = ?`)
      .run(projectKey, sessionId);
  }
}

function leftoversOf({ place, database, before }: CleanGround): ReturnType<typeof findLeftovers> {
  const known = knownSessions(database.connection, place.projectKey);
  return findLeftovers(place, before, (id) => known.has(id));
}

function freeBytes({ database }: CleanGround): number {
  const pages = Number(database.connection.pragma('freelist_count', { simple: true }));
  return pages * Number(database.connection.pragma('page_size', { simple: true }));
}

function measure(paths: readonly string[]): Pick<CleanedThing, 'count' | 'bytes' | 'names'> {
  return { count: paths.length, bytes: bytesOf(paths), names: paths };
}

/** A lock file goes with the name beside it. */
function removeFile(path: string): void {
  rmSync(path, { recursive: true, force: true });
  rmSync(`${path}.json`, { force: true });
}
