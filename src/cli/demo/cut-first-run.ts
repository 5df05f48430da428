import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProcesses, processesWithMark } from '../../claude/process-list.ts';
import { descendants, isAlive } from '../../claude/process-tree.ts';
import type { DemoCommand } from './demo-command.ts';
import type { CutFacts, DemoFault } from './demo-facts.ts';
import { stepOf } from './demo-model.ts';
import { traces } from './demo-project.ts';
import type { DemoStage } from './demo-stage.ts';
import { openMarks, parseStatus, type SeenStatus, storedEntries } from './evidence.ts';
import { waitUntil, within } from './wait-until.ts';

/** Arguments of the run, the first time and at the wake. */
export const runArguments = Object.freeze(['run', 'flow.ts:main', '-w', '.', '-r', 'runs']);

const toolTimeoutMs = 60_000;
const deathTimeoutMs = 3_000;
const statusTimeoutMs = 20_000;

interface AliveProcess {
  readonly pid: number;
  readonly start: string;
}

/**
 * Starts the workflow and kills it with SIGKILL while the command of step 2 runs, then looks at what
 * is left: processes, status, rows on disk.
 */
export async function cutFirstRun(stage: DemoStage): Promise<CutFacts | DemoFault> {
  const { project, signal } = stage;
  const command = stage.start('first-run', runArguments);
  let hasEnded = false;
  void command.ended.then(() => {
    hasEnded = true;
  });
  const isReady = (): boolean => hasEnded || hasBegun(project.workspace);
  await waitUntil(isReady, { timeoutMs: toolTimeoutMs, signal });
  if (signal.aborted) return 'stopped';
  if (hasEnded || !hasBegun(project.workspace)) return 'tool-not-started';
  const serverPid = Number(readFileSync(join(project.workspace, traces.server), 'utf8'));
  const processes = processesOf(command, openMarks(project.runDir));
  const death = await killAndWatch(command, processes, signal);
  if (death === undefined) return signal.aborted ? 'stopped' : 'first-run-not-dead';
  const status = await readStatus(stage, 'status-after-kill');
  if (typeof status === 'string') return status;
  const unfinished = status.steps.filter(({ state }) => state === 'unfinished');
  const sessionId = unfinished[0]?.sessionId ?? '';
  return {
    pid: command.pid,
    processes: processes.length,
    serverPid,
    ...death,
    outcome: status.lastRun?.outcome ?? null,
    passed: namesOf(status, 'passed'),
    unfinished: namesOf(status, 'unfinished'),
    readRequests: stage.api.requests.filter((request) => stepOf(request) === 'read').length,
    sessionId,
    entries: storedEntries(project.runDir, project.workspace, sessionId),
  };
}

/** What `flower status --json` says now. */
export async function readStatus(stage: DemoStage, name: string): Promise<SeenStatus | DemoFault> {
  const { signal } = stage;
  const command = stage.start(name, ['status', '--json', '-w', '.', '-r', 'runs']);
  const exitCode = await within(command.ended, { timeoutMs: statusTimeoutMs, signal });
  if (signal.aborted) return 'stopped';
  return exitCode === 0 ? parseStatus(command.output()) : 'status-failed';
}

/** The server is up and the delivery has happened, but has not come back. */
function hasBegun(workspace: string): boolean {
  const { delivery, server } = traces;
  return [delivery, server].every((name) => {
    const path = join(workspace, name);
    return existsSync(path) && readFileSync(path, 'utf8') !== '';
  });
}

/** The run itself, everything below it, and what carries the mark of its agents. */
function processesOf({ pid }: DemoCommand, marks: readonly string[]): AliveProcess[] {
  const processes = listProcesses();
  const strays = marks.flatMap((mark) => [...processesWithMark(mark)]);
  const pids = new Set([pid, ...descendants(pid, processes), ...strays]);
  return processes.filter((entry) => pids.has(entry.pid) && !entry.isZombie);
}

async function killAndWatch(
  command: DemoCommand,
  processes: readonly AliveProcess[],
  signal: AbortSignal,
): Promise<Pick<CutFacts, 'left' | 'endedAfterMs'> | undefined> {
  const startMs = performance.now();
  const options = { timeoutMs: deathTimeoutMs, signal };
  command.kill();
  const exitCode = await within(command.ended, options);
  if (exitCode !== null) return undefined;
  const alive = (): number[] =>
    processes.filter(({ pid, start }) => isAlive(pid, start)).map(({ pid }) => pid);
  await waitUntil(() => alive().length === 0, options);
  return { left: alive(), endedAfterMs: performance.now() - startMs };
}

function namesOf(status: SeenStatus, state: string): string[] {
  return status.steps
    .filter((step) => step.state === state)
    .map(({ step }) => step.replace(/^demo\//, ''));
}
