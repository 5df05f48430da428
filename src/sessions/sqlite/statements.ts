import type { Database, Statement } from 'better-sqlite3';

/** One stream's row of `session_streams`. */
export interface StreamRow {
  readonly id: number;
  readonly subpath: string;
  readonly nextSequence: number;
  readonly turnCount: number;
  readonly mtime: number;
}

/** One stored entry, its payload still text. */
export interface EntryRow {
  readonly sequence: number;
  readonly payload: string;
}

const streamColumns = 'id, subpath, next_sequence AS nextSequence, turn_count AS turnCount, mtime';

interface StreamStatements {
  readonly findStream: Statement<[string, string, string], StreamRow>;
  readonly insertStream: Statement<[string, string, string], StreamRow>;
  readonly updateStream: Statement<[number, number, number, number]>;
  readonly streamsOfSession: Statement<[string, string], StreamRow>;
  readonly sessionsOfProject: Statement<[string], { sessionId: string; mtime: number }>;
  readonly summariesOfProject: Statement<
    [string],
    { sessionId: string; mtime: number; data: string }
  >;
  readonly findSummary: Statement<[number], string>;
  readonly saveSummary: Statement<[number, string]>;
  readonly deleteStream: Statement<[string, string, string]>;
  readonly deleteSession: Statement<[string, string]>;
  readonly advanceClock: Statement<[number], number>;
}

interface EntryStatements {
  readonly insertEntry: Statement<[number, number, string | null, string]>;
  readonly entriesFrom: Statement<[number, number], EntryRow>;
  readonly entriesBackwards: Statement<[number, number], EntryRow>;
}

/** Every statement of the store, compiled once a connection. */
export type SessionStatements = StreamStatements & EntryStatements;

/** Compiles the statements; the schema must be in place. */
export function prepareStatements(connection: Database): SessionStatements {
  return { ...streamStatements(connection), ...entryStatements(connection) };
}

function streamStatements(connection: Database): StreamStatements {
  return {
    findStream: connection.prepare<[string, string, string], StreamRow>(
      `SELECT ${streamColumns} FROM session_streams
       WHERE project_key = ? AND session_id = ? AND subpath = ?`,
    ),
    insertStream: connection.prepare<[string, string, string], StreamRow>(
      `INSERT INTO session_streams
         (project_key, session_id, subpath, next_sequence, turn_count, mtime)
       VALUES (?, ?, ?, 0, 0, 0) RETURNING ${streamColumns}`,
    ),
    updateStream: connection.prepare<[number, number, number, number]>(
      'UPDATE session_streams SET next_sequence = ?, turn_count = ?, mtime = ? WHERE id = ?',
    ),
    streamsOfSession: connection.prepare<[string, string], StreamRow>(
      `SELECT ${streamColumns} FROM session_streams
       WHERE project_key = ? AND session_id = ? ORDER BY id`,
    ),
    sessionsOfProject: connection.prepare<[string], { sessionId: string; mtime: number }>(
      `SELECT session_id AS sessionId, mtime FROM session_streams
       WHERE project_key = ? AND subpath = '' ORDER BY mtime DESC`,
    ),
    summariesOfProject: connection.prepare<
      [string],
      { sessionId: string; mtime: number; data: string }
    >(
      `SELECT session_id AS sessionId, mtime, data
       FROM session_summaries JOIN session_streams ON id = stream
       WHERE project_key = ? ORDER BY mtime DESC`,
    ),
    findSummary: connection
      .prepare<[number], string>('SELECT data FROM session_summaries WHERE stream = ?')
      .pluck(),
    saveSummary: connection.prepare<[number, string]>(
      `INSERT INTO session_summaries (stream, data) VALUES (?, ?)
       ON CONFLICT (stream) DO UPDATE SET data = excluded.data`,
    ),
    deleteStream: connection.prepare<[string, string, string]>(
      'DELETE FROM session_streams WHERE project_key = ? AND session_id = ? AND subpath = ?',
    ),
    deleteSession: connection.prepare<[string, string]>(
      'DELETE FROM session_streams WHERE project_key = ? AND session_id = ?',
    ),
    advanceClock: connection
      .prepare<[number], number>(
        'UPDATE session_clock SET mtime = max(mtime + 1, ?) RETURNING mtime',
      )
      .pluck(),
  };
}

function entryStatements(connection: Database): EntryStatements {
  return {
    insertEntry: connection.prepare<[number, number, string | null, string]>(
      `INSERT INTO session_entries (stream, sequence, uuid, payload) VALUES (?, ?, ?, ?)
       ON CONFLICT (stream, uuid) WHERE uuid IS NOT NULL DO NOTHING`,
    ),
    entriesFrom: connection.prepare<[number, number], EntryRow>(
      `SELECT sequence, payload FROM session_entries
       WHERE stream = ? AND sequence >= ? ORDER BY sequence`,
    ),
    entriesBackwards: connection.prepare<[number, number], EntryRow>(
      `SELECT sequence, payload FROM session_entries
       WHERE stream = ? ORDER BY sequence DESC LIMIT ?`,
    ),
  };
}
