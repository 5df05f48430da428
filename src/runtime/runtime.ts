import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { assertOwnerAllows } from '../claude/owner-check.ts';
import type { Watcher } from '../claude/watcher.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { EventConsumer } from '../events/event.ts';
import type { EventBus } from '../events/event-bus.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { realDirectory } from '../files/real-directory.ts';
import { systemClock } from '../resilience/clock.ts';
import { findCredentials } from '../settings/credentials.ts';
import { loadEnvironment } from '../settings/environment-files.ts';
import { AgentRun } from './agent-run.ts';
import { announceProjectSettings, announceVersions } from './announce.ts';
import { assembleRuntime } from './assemble-runtime.ts';
import { withDiskErrors } from './disk-error.ts';
import { type FlowOpening, FlowSession } from './flow-session.ts';
import { recoverDeadRuns, recoverRuns } from './recover.ts';
import { manifestRowOf, RunAccount } from './run-account.ts';
import type { RunOptions } from './run-options.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import type { StepResult } from './step-result.ts';
import { writableRunDir } from './writable-run-dir.ts';

/** What the rows of a complete turn say. */
export interface RecoveredTurn {
  readonly text: string;
  /** Validated structured answer, when the step asks for one. */
  readonly output?: unknown;
}

/**
 * Runs agents in one workspace and keeps everything of it in one run directory.
 *
 * Construction checks workspace, run directory and credentials and opens `sessions.db`; nothing is
 * spent before `run`. Use one Runtime for one process, and `close` it.
 *
 * @example
 * ```ts
 * const runtime = new Runtime({ workspace: '.' });
 * const result = await runtime.run({ name: 'reader' }, 'What is this repository about?');
 * await runtime.close();
 * ```
 */
export class Runtime {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the run directory. */
  readonly runDir: string;
  /** Mark of this process, `YYYYmmdd-HHMMSS-<6 hex>`: the `run` of its manifest rows. */
  readonly runId: string;
  readonly manifestPath: string;
  readonly #parts: RuntimeParts;
  readonly #options: RuntimeOptions;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #results: StepResult[] = [];
  readonly #running = new Set<AgentRun<unknown>>();
  readonly #watcher: Watcher | undefined;
  #recovery: Promise<void> | undefined;

  /**
   * @throws FlowerError `workspace-missing`, `run-dir-unwritable`, `credentials-missing`,
   *   `option-invalid`, `database-newer`, `database-locked`
   */
  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.workspace = realDirectory(options.workspace);
    this.runDir = writableRunDir(options.runDir ?? 'runs');
    const clock = options.clock ?? systemClock;
    this.runId = `${fileStamp(clock.now())}-${randomBytes(3).toString('hex')}`;
    this.manifestPath = join(this.runDir, 'manifest.json');
    this.#env = options.env ?? loadOwnEnvironment();
    if (
      options.engine === undefined &&
      findCredentials(this.#env, { home: this.#env['HOME'] ?? homedir() }) === null
    ) {
      throw new FlowerError('credentials-missing', {});
    }
    const { parts, watcher } = assembleRuntime(options, {
      env: this.#env,
      workspace: this.workspace,
      runDir: this.runDir,
      run: this.runId,
      onLeaseLost: (name) => this.#stopFenced(name),
    });
    this.#parts = parts;
    this.#watcher = watcher;
  }

  /** Results of this process, in order of their end. */
  get results(): readonly StepResult[] {
    return this.#results;
  }

  /**
   * Runs one agent to its end: one session, over failures, waits and retries.
   *
   * A failure is a value (`ok: false`). Its row and every transcript row are on disk in `sessions.db`
   * when it resolves, and no process of the agent is left; `manifest.json` shows the row soon after,
   * at the latest when the runtime is closed.
   *
   * @throws FlowerError `busy`, `session-unknown`, `agent-invalid`, `database-damaged`
   */
  async run<Output = string>(
    spec: AgentSpec,
    prompt: string,
    options: RunOptions<Output> = {},
  ): Promise<StepResult<Output>> {
    assertOwnerAllows(spec, { ...this.#env, ...spec.env });
    await this.#recover();
    const run = new AgentRun(this.#parts, spec, prompt, options);
    this.#running.add(run);
    try {
      const result = await withDiskErrors(this.runDir, () => run.run());
      this.#results.push(result);
      return result;
    } finally {
      this.#running.delete(run);
    }
  }

  /** True when the session has records here and belongs to this workspace. */
  async hasSession(sessionId: string): Promise<boolean> {
    const { store, projectKey, owners } = this.#parts;
    return (
      (await store.hasSession(projectKey, sessionId)) && owners.belongs(this.#parts, sessionId)
    );
  }

  /** Context of the session's last response in tokens; 0 when unknown. */
  contextOf(sessionId: string): Promise<number> {
    return this.#parts.store.lastContext(this.#parts.projectKey, sessionId);
  }

  /** Spend of this process in USD, rounded to four decimals. */
  totalCost(): number {
    const total = this.#results.reduce((sum, result) => sum + result.costUsd, 0);
    return Math.round(total * 10_000) / 10_000;
  }

  /** Adds a consumer of every event; call the returned function to take it away. */
  subscribe(consumer: EventConsumer): () => void {
    return this.#parts.bus.subscribe(consumer);
  }

  /**
   * Opens the continuity of a flow: its lease, its lineage, how far its steps got. For workflows.
   *
   * @throws FlowerError `busy`, `run-dir-unwritable`, `database-locked`, `database-damaged`
   * @internal
   */
  async openFlow(opening: Omit<FlowOpening, 'workspace'>): Promise<FlowSession> {
    return await withDiskErrors(this.runDir, async () => {
      const flow = FlowSession.open(this.#parts, { ...opening, workspace: this.workspace });
      try {
        await flow.takeInFormer();
        await this.#recover();
        if (flow.takenFrom !== undefined) await recoverRuns(this.#parts, [flow.takenFrom]);
        return flow;
      } catch (error) {
        flow.end('unfinished');
        throw error;
      }
    });
  }

  /**
   * Sends an event of a workflow to every consumer.
   *
   * @internal
   */
  get bus(): EventBus {
    return this.#parts.bus;
  }

  /**
   * What a cut session is told to go on.
   *
   * @internal
   */
  get resumePrompt(): string {
    return this.#parts.resilience.resumePrompt;
  }

  /**
   * For signal handlers: writes the rows of what is running as `killed-by-signal`. Synchronous and
   * never throws; the agents are ended by the watcher when this process dies.
   */
  rescue(): void {
    for (const run of this.#running) {
      try {
        run.rescue();
      } catch {
        // The row stays open in the database; the next wake closes it.
      }
    }
    this.#parts.manifest.flush();
  }

  /**
   * The outcome of a turn that is complete on disk though its process died before it said so.
   *
   * @internal
   */
  async recoverResult(label: string, sessionId: string, turn: RecoveredTurn): Promise<StepResult> {
    const now = this.#parts.clock.now().getTime();
    const account = new RunAccount({
      run: this.runId,
      label,
      startedAtMs: now,
      versions: { flower: this.#parts.flowerVersion, sdk: this.#parts.engine.sdkVersion },
    });
    account.sessionId = sessionId;
    account.resumed = true;
    account.text = turn.text;
    account.output = turn.output;
    account.context = await this.contextOf(sessionId);
    account.succeed();
    const result = account.result(now);
    const row = this.#parts.redact(manifestRowOf(result, this.runId));
    const { writes, rows, host } = this.#parts;
    writes.keep(`row ${randomUUID()}`, () => rows.close(rows.open(row, host), row));
    this.#parts.manifest.update();
    this.#results.push(result);
    return result;
  }

  /** Another process goes on with what this one held: nothing of it may go on here. */
  #stopFenced(what: string): void {
    this.#parts.bus.emit({ type: 'alarm', code: 'lease-lost', params: { what } });
    for (const run of this.#running) run.stop();
  }

  /** Writes what is due and closes the database. */
  close(): Promise<void> {
    this.#parts.writes.flush();
    this.#parts.manifest.flush();
    this.#parts.leases.close();
    this.#watcher?.stop();
    this.#parts.store.close();
    this.#parts.database.close();
    return Promise.resolve();
  }

  /** Once a process: what dead processes left behind, before anything new is begun. */
  #recover(): Promise<void> {
    this.#recovery ??= withDiskErrors(this.runDir, () => this.#begin());
    return this.#recovery;
  }

  async #begin(): Promise<void> {
    this.#parts.manifest.takeIn();
    announceVersions(this.#parts);
    if (this.#options.projectSettings !== true)
      announceProjectSettings(this.#parts, this.workspace);
    await recoverDeadRuns(this.#parts);
  }
}

function loadOwnEnvironment(): Readonly<Record<string, string | undefined>> {
  return loadEnvironment({ processEnv: process.env, cwd: process.cwd(), home: homedir() }).env;
}
