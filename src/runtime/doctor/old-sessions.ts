import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLineage } from '../../continuity/lineage-file.ts';
import type { ReadOnlyConnection } from '../../database/open-read-only.ts';

/** A session that nothing refers to. */
export interface OldSession {
  readonly projectKey: string;
  readonly sessionId: string;
  /** Epoch milliseconds of its last write. */
  readonly mtime: number;
  /** Size of its rows, subagents included. */
  readonly bytes: number;
}

/** What counts as old. */
export interface AgeLimits {
  /** Written last before this, in epoch milliseconds. */
  readonly before: number;
  /** The database may have this size; while it is bigger, the oldest go first, whatever their age. */
  readonly largestBytes: number | undefined;
  readonly databaseBytes: number;
}

/**
 * Sessions that may be removed: those that no lineage of any workspace, no step state of a living
 * history and no open row refers to, and that are too old or too much. Oldest first. Looks only.
 */
export function oldSessions(
  connection: ReadOnlyConnection,
  runDir: string,
  limits: AgeLimits,
): OldSession[] {
  const kept = referredSessions(connection, runDir);
  let bytes = limits.databaseBytes;
  return allSessions(connection).filter((session) => {
    if (kept.has(session.sessionId)) return false;
    const isTooMuch = limits.largestBytes !== undefined && bytes > limits.largestBytes;
    if (session.mtime >= limits.before && !isTooMuch) return false;
    bytes -= session.bytes;
    return true;
  });
}

/** Ids of the sessions that this database holds of a workspace. */
export function knownSessions(connection: ReadOnlyConnection, projectKey: string): Set<string> {
  const ids = connection
    .prepare<[string], string>('SELECT session_id FROM session_streams WHERE project_key = ?')
    .pluck()
    .all(projectKey);
  return new Set(ids);
}

function referredSessions(connection: ReadOnlyConnection, runDir: string): Set<string> {
  return new Set([
    ...allIds(connection, 'SELECT session_id FROM lineage_sessions'),
    ...allIds(connection, 'SELECT pending_id FROM lineage_sessions'),
    ...allIds(
      connection,
      `SELECT CASE WHEN json_valid(state) THEN state ->> '$.sessionId' END FROM step_states
         WHERE epoch IN (SELECT epoch FROM lineages)`,
    ),
    ...allIds(
      connection,
      `SELECT CASE WHEN json_valid(segment) THEN segment ->> '$.sessionId' END FROM attempt_rows
         WHERE closed = 0`,
    ),
    ...allIds(
      connection,
      `SELECT CASE WHEN json_valid(row) THEN row ->> '$.session_id' END FROM attempt_rows
         WHERE closed = 0`,
    ),
    // A file that somebody else wrote counts at the next run.
    ...sessionsOfFile(join(runDir, 'lineage.json')),
  ]);
}

function allIds(connection: ReadOnlyConnection, query: string): string[] {
  const ids = connection.prepare<[], string | null>(query).pluck().all();
  return ids.filter((id) => id !== null);
}

function allSessions(connection: ReadOnlyConnection): OldSession[] {
  return connection
    .prepare<[], OldSession>(
      `SELECT project_key AS projectKey, session_id AS sessionId, max(mtime) AS mtime,
           sum((SELECT coalesce(sum(length(payload)), 0) FROM session_entries
             WHERE stream = session_streams.id)) AS bytes
         FROM session_streams GROUP BY project_key, session_id ORDER BY mtime`,
    )
    .all();
}

function sessionsOfFile(path: string): string[] {
  try {
    return Object.values(parseLineage(readFileSync(path, 'utf8'))?.steps ?? {});
  } catch {
    return [];
  }
}
