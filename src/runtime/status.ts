import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectKeyOf } from '../claude/project-key.ts';
import { isAlive } from '../claude/process-tree.ts';
import { type NearbyRunDir, nearbyRunDirs } from '../continuity/nearby-run-dirs.ts';
import { readLineage } from '../continuity/read-lineage.ts';
import { parseStepState } from '../continuity/step-state.ts';
import { openReadOnly, type ReadOnlyConnection } from '../database/open-read-only.ts';
import { realDirectory } from '../files/real-directory.ts';
import { manifestRow } from '../ledger/manifest-row.ts';
import { wakeFacts, wakeFactsRows } from '../sessions/wake-facts.ts';
import { prepareStatements, type SessionStatements } from '../sessions/sqlite/statements.ts';
import { decodeEntry } from '../sessions/sqlite/stored-entry.ts';

/** Where {@link readStatus} looks. */
export interface StatusOptions {
  readonly workspace: string;
  /** Resolved against the current directory. @defaultValue `'runs'` */
  readonly runDir?: string;
}

/** How one step of a flow stands. */
export interface StepStatus {
  /** Key of the lineage: the step's name, behind `flow/` for a named flow. */
  readonly step: string;
  readonly sessionId: string;
  /**
   * `passed`: done in the run that goes on. `unfinished`: goes on where it broke. `spoken`: the run
   * is finished; the step will speak again in this session.
   */
  readonly state: 'passed' | 'unfinished' | 'spoken';
  /** Context of the last response in tokens; 0 when unknown. */
  readonly context: number;
  /** ISO time of the last record. */
  readonly lastAt: string | null;
  /** Whether the API still holds the conversation in its prompt cache; a cold one is paid anew. */
  readonly cache: 'warm' | 'cold' | 'unknown';
  /** False when the session has no records: the step will open a new one. */
  readonly alive: boolean;
}

/** What running again in this directory would continue. */
export interface RunStatus {
  readonly workspace: string;
  readonly runDir: string;
  /** False: nothing here to continue. */
  readonly exists: boolean;
  /** How often this directory was woken. */
  readonly woke: number;
  readonly lastRun: {
    readonly run: string;
    readonly flow: string;
    readonly startedAt: string;
    readonly endedAt: string | null;
    readonly outcome: 'finished' | 'unfinished' | 'running';
  } | null;
  readonly steps: readonly StepStatus[];
  /** Spend of every row of the manifest in USD. */
  readonly costUsd: number;
  /** Tokens among them whose price is not known. */
  readonly unpricedTokens: number;
  readonly manifestPath: string;
  /** Run directories near by that hold a history, when this one has none. */
  readonly nearby: readonly NearbyRunDir[];
}

/**
 * Reads what running again would continue. Looks only: writes nothing and never calls a model.
 *
 * @throws FlowerError `workspace-missing`
 */
export function readStatus(options: StatusOptions): Promise<RunStatus> {
  const workspace = realDirectory(options.workspace);
  const runDir = resolve(options.runDir ?? 'runs');
  const databasePath = join(runDir, 'sessions.db');
  const nothing: RunStatus = {
    workspace,
    runDir,
    exists: false,
    woke: 0,
    lastRun: null,
    steps: [],
    costUsd: 0,
    unpricedTokens: 0,
    manifestPath: join(runDir, 'manifest.json'),
    nearby: [],
  };
  const withNearby = (): RunStatus => ({ ...nothing, nearby: nearbyRunDirs(runDir, workspace) });
  const connection = existsSync(databasePath) ? openReadOnly(databasePath) : undefined;
  if (connection === undefined) return Promise.resolve(withNearby());
  try {
    const lineage = readLineage(connection, join(runDir, 'lineage.json'), workspace);
    const spent = readSpending(connection);
    if (lineage === undefined) return Promise.resolve({ ...withNearby(), ...spent });
    const lastRun = readLastRun(connection, lineage.epoch);
    return Promise.resolve({
      ...nothing,
      ...spent,
      exists: true,
      woke: lineage.woke,
      lastRun,
      steps: readSteps(connection, lineage, projectKeyOf(workspace)),
    });
  } finally {
    connection.close();
  }
}

interface RunRow {
  readonly run: string;
  readonly flow: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
}

/** `epoch` is `null` for a history that the next run will begin: it has no run yet. */
function readLastRun(connection: ReadOnlyConnection, epoch: number | null): RunStatus['lastRun'] {
  const row = connection
    .prepare<[number | null], RunRow>(
      `SELECT run, flow, started_at AS startedAt, ended_at AS endedAt, outcome FROM flow_runs
         WHERE epoch = ? ORDER BY id DESC LIMIT 1`,
    )
    .get(epoch);
  if (row === undefined) return null;
  if (row.outcome === 'finished') return { ...row, outcome: 'finished' };
  return { ...row, outcome: isRunning(connection, row.run) ? 'running' : 'unfinished' };
}

/** A run lives when the process of one of its open rows does. */
function isRunning(connection: ReadOnlyConnection, run: string): boolean {
  return connection
    .prepare<[string], { pid: number; start: string }>(
      'SELECT host_pid AS pid, host_start AS start FROM attempt_rows WHERE run = ? AND closed = 0',
    )
    .all(run)
    .some(({ pid, start }) => isAlive(pid, start));
}

function readSteps(
  connection: ReadOnlyConnection,
  lineage: { readonly steps: Readonly<Record<string, string>>; readonly epoch: number | null },
  projectKey: string,
): StepStatus[] {
  const sessions = prepareStatements(connection);
  const stateOf = stepStates(connection, lineage.epoch);
  return Object.entries(lineage.steps).map(([step, sessionId]) => {
    const seen = readSession(sessions, projectKey, sessionId);
    return { step, sessionId, state: stateOf(step), ...seen };
  });
}

interface OpenChain {
  readonly flow: string;
  readonly chain: number;
}

/** How a step stands in the unfinished run of its own flow; each flow has its own. */
function stepStates(
  connection: ReadOnlyConnection,
  epoch: number | null,
): (key: string) => StepStatus['state'] {
  const chains = connection
    .prepare<[number | null], OpenChain>(
      `SELECT flow, chain FROM flow_runs WHERE outcome IS NOT 'finished' AND id IN
         (SELECT max(id) FROM flow_runs WHERE epoch = ? GROUP BY flow)`,
    )
    .all(epoch);
  const find = connection
    .prepare<[number | null, string, string, number], string>(
      'SELECT state FROM step_states WHERE epoch = ? AND flow = ? AND step = ? AND chain = ?',
    )
    .pluck();
  return (key) => {
    const { flow, step } = splitKey(key);
    const chain = chains.find((open) => open.flow === flow)?.chain;
    const stored = chain === undefined ? undefined : find.get(epoch, flow, step, chain);
    const phase = stored === undefined ? undefined : parseStepState(stored)?.phase;
    if (phase === undefined) return 'spoken';
    return phase === 'passed' || phase === 'settled' ? 'passed' : 'unfinished';
  };
}

/** A flow's name may hold `/`, a step's may not. */
function splitKey(key: string): { readonly flow: string; readonly step: string } {
  const end = Math.max(key.lastIndexOf('/'), 0);
  return { flow: key.slice(0, end), step: key.slice(key.lastIndexOf('/') + 1) };
}

function readSession(
  sessions: SessionStatements,
  projectKey: string,
  sessionId: string,
): Pick<StepStatus, 'context' | 'lastAt' | 'cache' | 'alive'> {
  const stream = sessions.findStream.get(projectKey, sessionId, '');
  if (stream === undefined) return { ...wakeFacts([], new Date()), alive: false };
  const rows = sessions.entriesBackwards
    .all(stream.id, wakeFactsRows)
    .map(({ payload }) => decodeEntry(payload))
    .reverse();
  return { ...wakeFacts(rows, new Date()), alive: stream.turnCount > 0 };
}

function readSpending(
  connection: ReadOnlyConnection,
): Pick<RunStatus, 'costUsd' | 'unpricedTokens'> {
  const rows = connection
    .prepare<[], string>('SELECT row FROM attempt_rows WHERE closed = 1')
    .pluck()
    .all()
    .map((text) => manifestRow.parse(JSON.parse(text)));
  return {
    costUsd: rows.reduce((sum, row) => sum + row.cost_usd, 0),
    unpricedTokens: rows.reduce((sum, row) => sum + Number(row['unpriced_tokens'] ?? 0), 0),
  };
}
