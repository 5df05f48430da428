import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readLineage } from '../../continuity/read-lineage.ts';
import { parseStepState } from '../../continuity/step-state.ts';
import { openReadOnly, type ReadOnlyConnection } from '../../database/open-read-only.ts';
import { realDirectory } from '../../files/real-directory.ts';
import type { GitHeads } from '../../ledger/git-head.ts';
import type { RunDirectoryOptions } from '../run-directory.ts';
import { diffstat, uncommittedChanges } from './git-changes.ts';
import {
  type RecordedRow,
  type RecordedRun,
  recordedRows,
  recordedRuns,
  rowsOfFile,
} from './recorded-rows.ts';
import type { AttemptVerdict, LoggedAttempt, LoggedGit, LoggedRun, RunLog } from './run-log.ts';

const heads = z.object({ before: z.string().nullable(), after: z.string().nullable() });

/** Everything that is recorded of a directory. */
interface Records {
  readonly rows: readonly RecordedRow[];
  readonly runs: readonly RecordedRun[];
  /** Wakings of the history that goes on here, and which one that is. */
  readonly present: { readonly epoch: number | null; readonly woke: number } | undefined;
  /** Sessions whose last answer a gate did not accept. */
  readonly rejected: ReadonlySet<string>;
}

/**
 * Reads the history of a run directory: runs, attempts, verdicts, costs, and what changed in git.
 *
 * Looks only: nothing is made and no model is called. A directory that only a Python flower used is
 * read from its `manifest.json`.
 *
 * @throws FlowerError `workspace-missing`
 */
export async function readLog(options: RunDirectoryOptions): Promise<RunLog> {
  const workspace = realDirectory(options.workspace);
  const runDir = resolve(options.runDir ?? 'runs');
  const records = readRecords(workspace, runDir);
  const last = records.rows.at(-1);
  const runs: LoggedRun[] = [];
  for (const run of marksOf(records)) {
    const rows = records.rows.filter(({ row }) => row.run === run);
    const attempts: LoggedAttempt[] = [];
    for (const [index, row] of rows.entries()) {
      const later = rows.slice(index + 1).map((other) => other.row.step);
      const isRejected = isRejectedLast(row, later, records);
      const git = await gitOf(row, workspace, row === last);
      attempts.push(attemptOf(row, verdictOf(row, later, isRejected), git));
    }
    runs.push(runOf(run, attempts, records));
  }
  const attempts = runs.flatMap((run) => run.attempts);
  return {
    workspace,
    runDir,
    runs,
    costUsd: sum(attempts.map((attempt) => attempt.costUsd)),
    unpricedTokens: sum(attempts.map((attempt) => attempt.unpricedTokens)),
  };
}

function readRecords(workspace: string, runDir: string): Records {
  const path = join(runDir, 'sessions.db');
  const connection = existsSync(path) ? openReadOnly(path) : undefined;
  if (connection === undefined) {
    return { rows: rowsOfFile(runDir), runs: [], present: undefined, rejected: new Set() };
  }
  try {
    return {
      rows: recordedRows(connection),
      runs: recordedRuns(connection),
      present: readLineage(connection, join(runDir, 'lineage.json'), workspace),
      rejected: rejectedSessions(connection),
    };
  } finally {
    connection.close();
  }
}

/** The gate has spoken last, and nothing came after it. */
function rejectedSessions(connection: ReadOnlyConnection): ReadonlySet<string> {
  const states = connection.prepare<[], string>('SELECT state FROM step_states').pluck().all();
  const sessions = states.flatMap((text) => {
    const state = parseStepState(text);
    const isRejected = state?.phase === 'failed' || state?.phase === 'rejected';
    return isRejected && state.sessionId !== null ? [state.sessionId] : [];
  });
  return new Set(sessions);
}

/** Marks of the processes, in order of their first sign. */
function marksOf({ rows, runs }: Records): string[] {
  const seen = [
    ...runs.map(({ run, startedAt }) => ({ run, atMs: Date.parse(startedAt) })),
    ...rows.map(({ row }) => ({ run: row.run, atMs: row.started_at * 1000 })),
  ];
  const sorted = seen.sort((left, right) => left.atMs - right.atMs);
  return [...new Set(sorted.map(({ run }) => run))];
}

function runOf(run: string, attempts: readonly LoggedAttempt[], records: Records): LoggedRun {
  const flows = records.runs.filter((row) => row.run === run);
  const isRunning = attempts.some(({ verdict }) => verdict === 'running');
  const ends = attempts.map((it) => Date.parse(it.startedAt) + it.durationS * 1000);
  const firstStart = flows[0]?.startedAt ?? attempts[0]?.startedAt ?? '';
  const lastEnd = flows.length > 0 ? flows.at(-1)?.endedAt : isoOf(Math.max(...ends) / 1000);
  return {
    run,
    flows: flows.map(({ flow }) => flow),
    woke: wakingOf(flows[0], records),
    startedAt: firstStart,
    endedAt: isRunning ? null : (lastEnd ?? null),
    outcome: outcomeOf(flows, isRunning),
    costUsd: sum(attempts.map((attempt) => attempt.costUsd)),
    attempts,
  };
}

function outcomeOf(flows: readonly RecordedRun[], isRunning: boolean): LoggedRun['outcome'] {
  if (flows.length === 0) return null;
  if (isRunning) return 'running';
  return flows.every(({ outcome }) => outcome === 'finished') ? 'finished' : 'unfinished';
}

/** Counted back from the present in the history that goes on, and from one in an older one. */
function wakingOf(flow: RecordedRun | undefined, { runs, present }: Records): number | null {
  if (flow === undefined) return null;
  const history = runs.filter(({ epoch }) => epoch === flow.epoch);
  const place = history.indexOf(flow);
  if (flow.epoch !== present?.epoch) return place + 1;
  return Math.max(1, present.woke - (history.length - 1 - place));
}

function verdictOf(
  { row, state }: RecordedRow,
  later: readonly string[],
  isRejected: boolean,
): AttemptVerdict {
  if (state !== 'closed') return state;
  if (row.error === 'killed-by-signal') return 'cut';
  if (!row.ok) return 'failed';
  const isFollowed = later.some((step) => baseOf(step) === baseOf(row.step) && step !== row.step);
  return isFollowed || isRejected ? 'rejected' : 'ok';
}

/**
 * An answer that nothing came after was not accepted when its step says so, or when the run went on
 * to no end all the same: a process that was killed leaves its run without an end.
 */
function isRejectedLast(
  { row }: RecordedRow,
  later: readonly string[],
  { rows, runs, rejected }: Records,
): boolean {
  if (later.some((step) => baseOf(step) === baseOf(row.step))) return false;
  const session = row.session_id;
  const isLastOfSession = rows.findLast((it) => it.row.session_id === session)?.row === row;
  if (session !== null && isLastOfSession && rejected.has(session)) return true;
  const flows = runs.filter(({ run }) => run === row.run);
  const [flow] = flows;
  const hasFailed = flow?.outcome === 'unfinished' && flow.endedAt !== null;
  return flows.length === 1 && hasFailed && later.length === 0;
}

/** The step behind the name of a row. */
function baseOf(label: string): string {
  return label.replace(/#(?:retry|round)\d+$/, '');
}

function attemptOf(
  { row }: RecordedRow,
  verdict: AttemptVerdict,
  git: LoggedGit | null,
): LoggedAttempt {
  return {
    step: row.step,
    verdict,
    sessionId: row.session_id,
    error: verdict === 'running' ? null : row.error,
    costUsd: row.cost_usd,
    unpricedTokens: Number(row['unpriced_tokens'] ?? 0),
    numTurns: row.num_turns,
    attempts: row.attempts,
    startedAt: isoOf(row.started_at),
    durationS: row.duration_s,
    context: row.context,
    resumed: row.resumed,
    git,
  };
}

async function gitOf(
  { row }: RecordedRow,
  workspace: string,
  isLast: boolean,
): Promise<LoggedGit | null> {
  const found: GitHeads | undefined = heads.safeParse(row['git']).data;
  if (found === undefined) return null;
  const { before, after } = found;
  const isCommitted = before !== null && after !== null && before !== after;
  return {
    before,
    after,
    diffstat: isCommitted ? await diffstat(workspace, before, after) : null,
    uncommitted: isLast && before !== null ? await uncommittedChanges(workspace, before) : null,
  };
}

function isoOf(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function sum(values: readonly number[]): number {
  return Math.round(values.reduce((total, value) => total + value, 0) * 1e6) / 1e6;
}
