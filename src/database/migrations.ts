/** One step of the schema; its place in the list, from 1, is the `user_version` it leads to. */
export interface Migration {
  readonly name: string;
  /** Statements, run together in one transaction. */
  readonly sql: string;
}

/**
 * The schema of `sessions.db`, oldest step first. Append only: a released step never changes.
 *
 * `entries`, `meta` and `summaries` are taken: a Python flower's file has tables of these names.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'sessions',
    sql: `
      CREATE TABLE session_streams (
        id INTEGER PRIMARY KEY,
        project_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        subpath TEXT NOT NULL,
        next_sequence INTEGER NOT NULL,
        turn_count INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        UNIQUE (project_key, session_id, subpath)
      );
      CREATE TABLE session_entries (
        id INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL REFERENCES session_streams (id) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        uuid TEXT,
        payload TEXT NOT NULL
      );
      CREATE UNIQUE INDEX session_entries_sequence ON session_entries (stream, sequence);
      CREATE UNIQUE INDEX session_entries_uuid ON session_entries (stream, uuid)
        WHERE uuid IS NOT NULL;
      CREATE TABLE session_summaries (
        stream INTEGER PRIMARY KEY REFERENCES session_streams (id) ON DELETE CASCADE,
        data TEXT NOT NULL
      );
      CREATE TABLE session_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mtime INTEGER NOT NULL
      );
      INSERT INTO session_clock (id, mtime) VALUES (1, 0);
      CREATE TABLE session_takeovers (
        store_key TEXT PRIMARY KEY,
        next_sequence INTEGER NOT NULL
      ) WITHOUT ROWID;
    `,
  },
  {
    name: 'runs',
    sql: `
      CREATE TABLE lineage_head (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        epoch INTEGER NOT NULL,
        workspace TEXT NOT NULL,
        woke INTEGER NOT NULL
      );
      CREATE TABLE lineage_steps (
        key TEXT PRIMARY KEY,
        session_id TEXT,
        pending_id TEXT
      ) WITHOUT ROWID;
      CREATE TABLE file_views (
        id INTEGER PRIMARY KEY,
        file TEXT NOT NULL,
        hash TEXT NOT NULL
      );
      CREATE TABLE flow_runs (
        id INTEGER PRIMARY KEY,
        epoch INTEGER NOT NULL,
        flow TEXT NOT NULL,
        chain INTEGER NOT NULL,
        run TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        outcome TEXT
      );
      CREATE INDEX flow_runs_flow ON flow_runs (flow, epoch);
      CREATE TABLE step_states (
        flow TEXT NOT NULL,
        step TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        chain INTEGER NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (flow, step)
      );
      CREATE TABLE attempt_rows (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        step TEXT NOT NULL,
        closed INTEGER NOT NULL,
        row TEXT NOT NULL,
        host_pid INTEGER,
        host_start TEXT,
        segment TEXT
      );
      CREATE INDEX attempt_rows_open ON attempt_rows (closed) WHERE closed = 0;
      CREATE TABLE model_usage (
        id INTEGER PRIMARY KEY,
        model TEXT NOT NULL,
        usage TEXT NOT NULL
      );
      CREATE INDEX model_usage_model ON model_usage (model);
    `,
  },
  {
    name: 'leases',
    sql: `
      CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        generation INTEGER NOT NULL,
        run TEXT,
        pid INTEGER NOT NULL,
        pid_start TEXT NOT NULL,
        since TEXT NOT NULL,
        beat_at INTEGER NOT NULL
      ) WITHOUT ROWID;
    `,
  },
  {
    name: 'workspaces',
    sql: `
      CREATE TABLE lineages (
        epoch INTEGER PRIMARY KEY,
        workspace TEXT NOT NULL UNIQUE,
        woke INTEGER NOT NULL
      );
      CREATE TABLE lineage_sessions (
        epoch INTEGER NOT NULL REFERENCES lineages (epoch) ON DELETE CASCADE,
        key TEXT NOT NULL,
        session_id TEXT,
        pending_id TEXT,
        PRIMARY KEY (epoch, key)
      ) WITHOUT ROWID;
      INSERT INTO lineages (epoch, workspace, woke) SELECT epoch, workspace, woke FROM lineage_head;
      INSERT INTO lineage_sessions (epoch, key, session_id, pending_id)
        SELECT epoch, key, session_id, pending_id FROM lineage_head, lineage_steps;
      DROP TABLE lineage_head;
      DROP TABLE lineage_steps;
      ALTER TABLE step_states RENAME TO former_step_states;
      CREATE TABLE step_states (
        flow TEXT NOT NULL,
        step TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        chain INTEGER NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (epoch, flow, step)
      );
      INSERT INTO step_states (flow, step, epoch, chain, state)
        SELECT flow, step, epoch, chain, state FROM former_step_states;
      DROP TABLE former_step_states;
      CREATE TABLE session_owners (
        project_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        workspace TEXT NOT NULL,
        PRIMARY KEY (project_key, session_id)
      ) WITHOUT ROWID;
    `,
  },
  {
    name: 'people',
    sql: `
      CREATE TABLE run_settings (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE intents (
        id INTEGER PRIMARY KEY,
        epoch INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL
      );
      CREATE TABLE messages (
        number INTEGER PRIMARY KEY,
        epoch INTEGER NOT NULL,
        kind TEXT NOT NULL,
        run TEXT NOT NULL,
        step TEXT NOT NULL,
        session_id TEXT,
        tool_use_id TEXT,
        text TEXT NOT NULL,
        options TEXT NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL,
        waited_ms INTEGER NOT NULL,
        answer TEXT,
        closed_at TEXT,
        closed_by TEXT
      );
      CREATE INDEX messages_state ON messages (epoch, state);
      CREATE TABLE verdicts (
        id INTEGER PRIMARY KEY,
        epoch INTEGER NOT NULL,
        step TEXT NOT NULL,
        round INTEGER NOT NULL,
        work_session TEXT,
        work_ended_at INTEGER NOT NULL,
        run TEXT NOT NULL,
        at TEXT NOT NULL,
        verdict TEXT NOT NULL
      );
      CREATE INDEX verdicts_step ON verdicts (epoch, step, round);
      CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        at TEXT NOT NULL,
        body TEXT NOT NULL
      );
      CREATE INDEX events_run ON events (run);
      CREATE TABLE requests (
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        taken_at TEXT,
        reply TEXT
      );
      CREATE INDEX requests_run ON requests (run) WHERE taken_at IS NULL;
    `,
  },
];
