import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../../claude/process-tree.ts';
import type { ReadOnlyConnection } from '../../database/open-read-only.ts';
import { type ManifestRow, manifestRow } from '../../ledger/manifest-row.ts';

/** A row of the manifest, also one that nobody has closed yet. */
export interface RecordedRow {
  readonly row: ManifestRow;
  readonly state: 'closed' | 'running' | 'cut';
}

/** A run of a workflow as the database has it. */
export interface RecordedRun {
  readonly run: string;
  readonly flow: string;
  readonly epoch: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
}

interface StoredRow {
  readonly row: string;
  readonly closed: number;
  readonly pid: number | null;
  readonly start: string | null;
}

/** Rows of the manifest, in order of their start. Looks only. */
export function recordedRows(connection: ReadOnlyConnection): RecordedRow[] {
  return connection
    .prepare<[], StoredRow>(
      'SELECT row, closed, host_pid AS pid, host_start AS start FROM attempt_rows ORDER BY id',
    )
    .all()
    .map(({ row, closed, pid, start }) => ({
      row: manifestRow.parse(JSON.parse(row)),
      state: closed === 1 ? 'closed' : isAlive(pid ?? 0, start ?? '') ? 'running' : 'cut',
    }));
}

/** Runs of workflows, oldest first. Looks only. */
export function recordedRuns(connection: ReadOnlyConnection): RecordedRun[] {
  return connection
    .prepare<[], RecordedRun>(
      `SELECT run, flow, epoch, started_at AS startedAt, ended_at AS endedAt, outcome
         FROM flow_runs ORDER BY id`,
    )
    .all();
}

/** The rows of `manifest.json`, for a directory that this flower never opened. */
export function rowsOfFile(runDir: string): RecordedRow[] {
  try {
    const text = readFileSync(join(runDir, 'manifest.json'), 'utf8');
    return z
      .array(z.unknown())
      .parse(JSON.parse(text))
      .flatMap((value) => manifestRow.safeParse(value).data ?? [])
      .map((row) => ({ row, state: 'closed' }));
  } catch {
    return [];
  }
}
