import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { findLineage } from '../../continuity/read-lineage.ts';
import { parseLineage } from '../../continuity/lineage-file.ts';
import { runProcesses } from '../../continuity/run-processes.ts';
import { databaseHealth, type DatabaseHealth } from '../../database/database-health.ts';
import { openReadOnly, type ReadOnlyConnection } from '../../database/open-read-only.ts';
import { readStatus } from '../status.ts';
import {
  defaultOldMs,
  type DoctorOptions,
  type DoctorPlace,
  doctorPlace,
} from './doctor-options.ts';
import { type Finding, type FindingLevel, finding } from './finding.ts';
import { allSetAside, bytesOf, findLeftovers } from './leftovers.ts';
import { knownSessions, oldSessions } from './old-sessions.ts';
import { findDeadRuns } from './orphans.ts';

/** What a look at a run directory found. */
export interface DoctorReport {
  readonly workspace: string;
  readonly runDir: string;
  readonly findings: readonly Finding[];
}

const lowBytes = 500_000_000;
const tooLowBytes = 50_000_000;
/** Beyond this a look at old sessions is worth while. */
const bigBytes = 1_000_000_000;

/**
 * Looks a run directory over: database, disk, lineage, processes, leftovers, and what would go on.
 *
 * Looks only: writes nothing, ends nothing and never calls a model. Reads the whole database.
 *
 * @throws FlowerError `workspace-missing`
 */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  const place = doctorPlace(options);
  const { workspace, runDir } = place;
  if (!existsSync(runDir)) {
    return { workspace, runDir, findings: [finding('notice', 'run-dir-absent')] };
  }
  const path = join(runDir, 'sessions.db');
  const health = databaseHealth(path);
  const findings = [
    ...databaseFindings(health),
    ...diskFindings(runDir),
    ...liveFindings(runDir),
    ...(await withConnection(path, (connection) => recordFindings(place, health, connection))),
  ];
  return { workspace, runDir, findings };
}

async function withConnection<Result>(
  path: string,
  work: (connection: ReadOnlyConnection | undefined) => Promise<Result>,
): Promise<Result> {
  const connection = existsSync(path) ? openReadOnly(path) : undefined;
  try {
    return await work(connection);
  } finally {
    connection?.close();
  }
}

function databaseFindings(health: DatabaseHealth): Finding[] {
  switch (health.kind) {
    case 'absent':
      return [finding('notice', 'database-absent')];
    case 'locked':
      return [finding('problem', 'database-locked')];
    case 'damaged':
      return [finding('problem', 'database-damaged', { detail: health.detail })];
    case 'newer':
      return [finding('problem', 'database-newer', { version: health.version })];
    case 'older':
      return [finding('notice', 'database-older', { version: health.version })];
    case 'sound': {
      const { bytes, freeBytes } = health;
      const sound = finding('good', 'database-sound', { bytes, freeBytes });
      return bytes > bigBytes ? [sound, finding('notice', 'database-big', { bytes })] : [sound];
    }
  }
}

function diskFindings(runDir: string): Finding[] {
  const { bavail, bsize } = statfsSync(runDir);
  const bytes = bavail * bsize;
  const level: FindingLevel =
    bytes < tooLowBytes ? 'problem' : bytes < lowBytes ? 'notice' : 'good';
  const disk = finding(level, level === 'good' ? 'disk-free' : 'disk-low', { bytes });
  try {
    accessSync(runDir, constants.W_OK | constants.X_OK);
    return [disk];
  } catch {
    return [disk, finding('problem', 'run-dir-unwritable')];
  }
}

function liveFindings(runDir: string): Finding[] {
  return runProcesses(runDir).living.map(({ pid, since }) =>
    finding('good', 'run-live', { pid, since }),
  );
}

async function recordFindings(
  place: DoctorPlace,
  health: DatabaseHealth,
  connection: ReadOnlyConnection | undefined,
): Promise<Finding[]> {
  const isReadable = connection !== undefined && health.kind === 'sound';
  return [
    ...lineageFindings(place, isReadable ? connection : undefined),
    ...(isReadable ? await resumeFindings(place) : []),
    ...(isReadable ? deadRunFindings(place, connection) : []),
    ...leftoverFindings(place, isReadable ? connection : undefined),
    ...(isReadable ? oldFindings(place, health, connection) : []),
  ];
}

function lineageFindings(
  { runDir, workspace }: DoctorPlace,
  connection: ReadOnlyConnection | undefined,
): Finding[] {
  const path = join(runDir, 'lineage.json');
  if (connection === undefined) {
    if (!existsSync(path)) return [finding('notice', 'lineage-absent')];
    const isSound = parseLineage(readFileSync(path, 'utf8')) !== undefined;
    return isSound ? [] : [finding('problem', 'lineage-damaged')];
  }
  const found = findLineage(connection, path, workspace);
  switch (found.kind) {
    case 'own':
      return [finding('good', 'lineage-sound', { woke: found.head.woke })];
    case 'file':
      return [finding('good', 'lineage-sound', { woke: found.file.woke })];
    case 'other': {
      const isGone = !existsSync(found.workspace);
      const params = { workspace: found.workspace };
      return [finding('notice', isGone ? 'lineage-moved' : 'lineage-elsewhere', params)];
    }
    case 'damaged':
      return [finding('problem', 'lineage-damaged')];
    case 'none':
      return [finding('notice', 'lineage-absent')];
  }
}

async function resumeFindings({ workspace, runDir }: DoctorPlace): Promise<Finding[]> {
  const { steps } = await readStatus({ workspace, runDir });
  const alive = steps.filter((step) => step.alive);
  if (alive.length === 0) return [finding('good', 'resumes-nothing')];
  return alive.map(({ step, sessionId, state, context, cache }) =>
    finding('good', 'resumes', { step, session: sessionId, state, context, cache }),
  );
}

function deadRunFindings({ runDir }: DoctorPlace, connection: ReadOnlyConnection): Finding[] {
  const { rows, trees } = findDeadRuns(connection, runDir);
  const pids = trees.flatMap((tree) => tree.pids);
  return [
    ...(rows > 0 ? [finding('notice', 'killed-rows', { count: rows })] : []),
    ...(pids.length > 0
      ? [finding('problem', 'orphans', { count: pids.length, pids: pids.join(' ') })]
      : []),
  ];
}

function leftoverFindings(
  place: DoctorPlace,
  connection: ReadOnlyConnection | undefined,
): Finding[] {
  const known =
    connection === undefined ? new Set<string>() : knownSessions(connection, place.projectKey);
  const { files, resumeFolders } = findLeftovers(place, 0, (id) => known.has(id));
  const folders = resumeFolders.map(({ path }) => path);
  const kinds = { ...files, 'set-aside': allSetAside(place.runDir), 'resume-folders': folders };
  return Object.entries(kinds).flatMap(([code, paths]) =>
    paths.length === 0
      ? []
      : [
          finding('notice', code as keyof typeof kinds, {
            count: paths.length,
            bytes: bytesOf(paths),
            paths: paths.join(', '),
          }),
        ],
  );
}

function oldFindings(
  { runDir, now }: DoctorPlace,
  health: DatabaseHealth,
  connection: ReadOnlyConnection,
): Finding[] {
  const old = oldSessions(connection, runDir, {
    before: now.getTime() - defaultOldMs,
    largestBytes: undefined,
    databaseBytes: health.kind === 'sound' ? health.bytes : 0,
  });
  if (old.length === 0) return [];
  const bytes = old.reduce((sum, session) => sum + session.bytes, 0);
  return [finding('notice', 'old-sessions', { count: old.length, bytes })];
}
