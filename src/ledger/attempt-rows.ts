import { z } from 'zod';
import type { RunDatabase } from '../database/run-database.ts';
import { parseStored } from '../database/stored-json.ts';
import { type ManifestRow, manifestRow } from './manifest-row.ts';

/** The agent process that a row is waiting for. */
export const segmentRecord = z.object({
  sessionId: z.string(),
  projectKey: z.string(),
  /** Place in the session where this segment's rows begin. */
  firstSequence: z.number(),
  /** The same for each subagent stream that was there already. */
  subagents: z.record(z.string(), z.number()),
  mark: z.string(),
  pid: z.number().nullable(),
  pidStart: z.string().nullable(),
});

/** Written before the agent starts, completed when its process is known. */
export type SegmentRecord = z.infer<typeof segmentRecord>;

/** A row whose run has not ended, or whose process died. */
export interface OpenAttempt {
  readonly id: number;
  readonly run: string;
  readonly hostPid: number;
  readonly hostStart: string;
  readonly row: ManifestRow;
  readonly segment: SegmentRecord | null;
}

interface StoredAttempt {
  readonly id: number;
  readonly run: string;
  readonly row: string;
  readonly host_pid: number;
  readonly host_start: string;
  readonly segment: string | null;
}

/**
 * The rows of the manifest, in the database: the truth behind `manifest.json`.
 *
 * A row is opened before its first segment starts and closed with the result, so a killed run
 * leaves an open row with all that is needed to finish it at the next wake. Every method is on disk
 * when it returns.
 */
export class AttemptRows {
  readonly #database: RunDatabase;

  constructor(database: RunDatabase) {
    this.#database = database;
  }

  /** Opens a row, with the segment that is about to start; returns its id. */
  open(
    row: ManifestRow,
    host: { readonly pid: number; readonly start: string },
    segment: SegmentRecord | null = null,
  ): number {
    const { lastInsertRowid } = this.#database.connection
      .prepare(
        `INSERT INTO attempt_rows (run, step, closed, row, host_pid, host_start, segment)
           VALUES (?, ?, 0, ?, ?, ?, ?)`,
      )
      .run(row.run, row.step, JSON.stringify(row), host.pid, host.start, textOf(segment));
    return Number(lastInsertRowid);
  }

  /** Notes what is known so far and the segment that is about to start or has just started. */
  update(id: number, row: ManifestRow, segment: SegmentRecord | null): void {
    this.#database.connection
      .prepare('UPDATE attempt_rows SET row = ?, segment = ? WHERE id = ?')
      .run(JSON.stringify(row), textOf(segment), id);
  }

  /** Closes a row; `false` when another process closed it first. */
  close(id: number, row: ManifestRow): boolean {
    const { changes } = this.#database.connection
      .prepare(
        'UPDATE attempt_rows SET closed = 1, segment = NULL, step = ?, row = ? WHERE id = ? AND closed = 0',
      )
      .run(row.step, JSON.stringify(row), id);
    return changes === 1;
  }

  /** Takes in closed rows of other programs, for example of a Python flower's manifest. */
  import(rows: readonly ManifestRow[]): void {
    const insert = this.#database.connection.prepare(
      'INSERT INTO attempt_rows (run, step, closed, row) VALUES (?, ?, 1, ?)',
    );
    for (const row of rows) insert.run(row.run, row.step, JSON.stringify(row));
  }

  /** True when rows of this session may stand only in Claude Code's own file: the store refused them. */
  hasUnsavedRows(sessionId: string): boolean {
    const row = this.#database.connection
      .prepare(
        `SELECT 1 FROM attempt_rows WHERE row ->> '$.session_id' = ?
           AND instr(row ->> '$.alarms', 'transcript-not-saved') > 0`,
      )
      .get(sessionId);
    return row !== undefined;
  }

  /** {@link placeOf} every row here. */
  places(): Set<string> {
    const rows = this.#database.connection
      .prepare<[], string>('SELECT row FROM attempt_rows')
      .pluck()
      .all();
    return new Set(rows.map((text) => placeOf(manifestRow.parse(parseStored(text)))));
  }

  /** The last closed row. */
  lastClosed(): ManifestRow | undefined {
    const text = this.#database.connection
      .prepare<[], string>('SELECT row FROM attempt_rows WHERE closed = 1 ORDER BY id DESC LIMIT 1')
      .pluck()
      .get();
    return text === undefined ? undefined : manifestRow.parse(parseStored(text));
  }

  /** Rows that are still open, of any process. */
  openRows(): OpenAttempt[] {
    return this.#database.connection
      .prepare<[], StoredAttempt>(
        'SELECT id, run, row, host_pid, host_start, segment FROM attempt_rows WHERE closed = 0',
      )
      .all()
      .map(readAttempt);
  }

  /** The closed rows as JSON texts, oldest first. */
  closedTexts(): string[] {
    return this.#database.connection
      .prepare<[], string>('SELECT row FROM attempt_rows WHERE closed = 1 ORDER BY id')
      .pluck()
      .all();
  }
}

/** What tells one row from all others: its run, its step and its start. */
export function placeOf({ run, step, started_at: startedAt }: ManifestRow): string {
  return JSON.stringify([run, step, startedAt]);
}

function textOf(segment: SegmentRecord | null): string | null {
  return segment === null ? null : JSON.stringify(segment);
}

function readAttempt(stored: StoredAttempt): OpenAttempt {
  return {
    id: stored.id,
    run: stored.run,
    hostPid: stored.host_pid,
    hostStart: stored.host_start,
    row: manifestRow.parse(parseStored(stored.row)),
    segment: stored.segment === null ? null : segmentRecord.parse(parseStored(stored.segment)),
  };
}
