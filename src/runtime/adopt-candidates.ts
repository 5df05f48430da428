import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type PlainConversation, plainConversations } from '../claude/plain-conversations.ts';
import { readLineage } from '../continuity/read-lineage.ts';
import { openReadOnly, type ReadOnlyConnection } from '../database/open-read-only.ts';
import { realDirectory } from '../files/real-directory.ts';
import type { RunDirectoryOptions } from './run-directory.ts';

/** Whose conversations are looked for. */
export interface CandidateOptions extends RunDirectoryOptions {
  /** Key of the step that is to go on with one of them. */
  readonly step: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Conversations of plain Claude Code in this workspace, the newest first. Looks only.
 *
 * Sessions that flower opened itself, and those that another step goes on with, are left out.
 *
 * @throws FlowerError `workspace-missing`
 */
export function adoptCandidates(options: CandidateOptions): PlainConversation[] {
  const workspace = realDirectory(options.workspace);
  const taken = takenSessions(workspace, options);
  return plainConversations(workspace, options.env).filter(
    ({ sessionId }) => !taken.has(sessionId),
  );
}

function takenSessions(workspace: string, options: CandidateOptions): ReadonlySet<string> {
  const runDir = resolve(options.runDir ?? 'runs');
  const path = join(runDir, 'sessions.db');
  const connection = existsSync(path) ? openReadOnly(path) : undefined;
  if (connection === undefined) return new Set();
  try {
    const steps = readLineage(connection, join(runDir, 'lineage.json'), workspace)?.steps ?? {};
    const others = Object.entries(steps).filter(([key]) => key !== options.step);
    return new Set([...ownSessions(connection), ...others.map(([, id]) => id)]);
  } finally {
    connection.close();
  }
}

/** Sessions whose first attempt did not find any record: flower began them. */
function ownSessions(connection: ReadOnlyConnection): string[] {
  return connection
    .prepare<[], string>(
      `SELECT session FROM
         (SELECT json_extract(row, '$.session_id') AS session,
            json_extract(row, '$.resumed') AS resumed, min(id)
          FROM attempt_rows GROUP BY session)
       WHERE session IS NOT NULL AND resumed = 0`,
    )
    .pluck()
    .all();
}
