import type { RunDatabase } from '../../database/run-database.ts';
import { isSameDirectory } from '../../files/same-directory.ts';

/** A workspace with the folder name that Claude Code has for it. */
export interface OwnerPlace {
  readonly workspace: string;
  readonly projectKey: string;
}

/** How many rows of a session are read to find where it was begun. */
const readRows = 20;

/**
 * Which workspace a session belongs to.
 *
 * Claude Code names sessions by a key in which everything but letters and digits of the path is a
 * dash, so `a.b`, `a_b` and `a-b` share one. A session without a noted owner belongs to the
 * directory that its first rows name.
 */
export class SessionOwners {
  readonly #database: RunDatabase;

  constructor(database: RunDatabase) {
    this.#database = database;
  }

  /** Notes the owner of a session that has none yet. Call it inside a transaction. */
  claim({ projectKey, workspace }: OwnerPlace, sessionId: string): void {
    this.#database.connection
      .prepare(
        'INSERT OR IGNORE INTO session_owners (project_key, session_id, workspace) VALUES (?, ?, ?)',
      )
      .run(projectKey, sessionId, workspace);
  }

  /** False for a session of another workspace. */
  belongs({ projectKey, workspace }: OwnerPlace, sessionId: string): boolean {
    const owner = this.#ownerOf(projectKey, sessionId);
    return owner === undefined || isSameDirectory(owner, workspace);
  }

  /**
   * Gives the sessions of a workspace that was moved to its new path; on disk when it returns. A
   * session that the new place holds already stays as it is.
   *
   * @param sessionIds - Sessions that are known to be the workspace's, owner or not.
   */
  relocate(from: OwnerPlace, to: OwnerPlace, sessionIds: readonly string[]): void {
    const known = new Set(sessionIds);
    this.#database.immediate(() => {
      for (const sessionId of this.#sessionsUnder(from.projectKey)) {
        const isOurs =
          known.has(sessionId) || this.#ownerOf(from.projectKey, sessionId) === from.workspace;
        if (isOurs) this.#move(sessionId, from, to);
      }
    });
  }

  #move(sessionId: string, from: OwnerPlace, to: OwnerPlace): void {
    const { connection } = this.#database;
    connection
      .prepare(
        `UPDATE OR IGNORE session_streams SET project_key = ?
           WHERE project_key = ? AND session_id = ?`,
      )
      .run(to.projectKey, from.projectKey, sessionId);
    connection
      .prepare('DELETE FROM session_owners WHERE project_key = ? AND session_id = ?')
      .run(from.projectKey, sessionId);
    connection
      .prepare(
        `UPDATE attempt_rows SET segment = json_set(segment, '$.projectKey', @to)
           WHERE closed = 0 AND segment ->> '$.sessionId' = @sessionId
             AND segment ->> '$.projectKey' = @from`,
      )
      .run({ to: to.projectKey, from: from.projectKey, sessionId });
    this.claim(to, sessionId);
  }

  #sessionsUnder(projectKey: string): string[] {
    return this.#database.connection
      .prepare<[string, string], string>(
        `SELECT session_id FROM session_streams WHERE project_key = ?
           UNION SELECT session_id FROM session_owners WHERE project_key = ?`,
      )
      .pluck()
      .all(projectKey, projectKey);
  }

  #ownerOf(projectKey: string, sessionId: string): string | undefined {
    const noted = this.#database.connection
      .prepare<[string, string], string>(
        'SELECT workspace FROM session_owners WHERE project_key = ? AND session_id = ?',
      )
      .pluck()
      .get(projectKey, sessionId);
    return noted ?? this.#birthplaceOf(projectKey, sessionId);
  }

  #birthplaceOf(projectKey: string, sessionId: string): string | undefined {
    return this.#database.connection
      .prepare<[string, string, number], string>(
        `SELECT cwd FROM (
           SELECT CASE WHEN json_valid(payload) THEN payload ->> '$.cwd' END AS cwd
             FROM session_entries
             WHERE stream = (SELECT id FROM session_streams
               WHERE project_key = ? AND session_id = ? AND subpath = '')
             ORDER BY sequence LIMIT ?)
         WHERE cwd IS NOT NULL LIMIT 1`,
      )
      .pluck()
      .get(projectKey, sessionId, readRows);
  }
}
