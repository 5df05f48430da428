import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptedRequest } from '../../src/testing/index.ts';
import type { Host } from '../support/host.ts';
import { Stage } from '../support/stage.ts';
import { storedRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { checkLedger } from './check-ledger.ts';
import { randomFrom } from './random.ts';
import { finishedTokens, seenWork, steps, tokensPerStep, workOn } from './scripted-worker.ts';

/** What a torture run did. */
export interface TortureReport {
  readonly seed: number;
  readonly kills: number;
  /** Workflows that were brought to their end. */
  readonly finished: number;
  readonly requests: number;
  /** What did not hold; empty when all is well. */
  readonly violations: readonly string[];
}

const patienceMs = 60_000;
const longestJitterMs = 400;

/**
 * Kills hosts at random moments, wakes them, and checks after every move what must hold.
 *
 * No row of the database is lost; what was finished on disk is seen by the model after the wake; no
 * side effect is doubled; each step keeps its session; manifest and lineage parse; no process is
 * left; tokens and cost are those of the recorded responses.
 */
export async function torture(options: {
  readonly kills: number;
  readonly seed: number;
}): Promise<TortureReport> {
  const random = randomFrom(options.seed);
  const violations: string[] = [];
  let kills = 0;
  let finished = 0;
  let requests = 0;
  while (kills < options.kills) {
    await using victim = new Victim(await Stage.open(), random);
    kills += await victim.killUpTo(options.kills - kills);
    await victim.finish();
    finished += 1;
    requests += victim.requests;
    violations.push(...victim.violations);
  }
  return { seed: options.seed, kills, finished, requests, violations };
}

/** One workflow in one directory, killed again and again until it gets through. */
class Victim implements AsyncDisposable {
  readonly #stage: Stage;
  readonly #random: () => number;
  readonly #sessions = new Map<string, string>();
  #uuids: ReadonlySet<string> = new Set();
  #acknowledged: ReadonlySet<string> = new Set();
  readonly violations: string[] = [];

  constructor(stage: Stage, random: () => number) {
    this.#stage = stage;
    this.#random = random;
    stage.answerBy((request) => {
      this.#checkRequest(request);
      return workOn(request);
    });
  }

  get requests(): number {
    return this.#stage.requests.length;
  }

  /** @returns how often it was killed; it may get through before. */
  async killUpTo(limit: number): Promise<number> {
    for (let kills = 0; kills < limit; kills += 1) {
      const host = this.#stage.start('torture');
      if (!(await this.#reachMoment(host))) return kills;
      try {
        await this.#stage.kill(host);
      } catch (error) {
        this.violations.push(String(error));
      }
      this.#checkRows();
    }
    return limit;
  }

  /** Lets it get through, and checks the whole. */
  async finish(): Promise<void> {
    const { ctx } = await this.#stage.run('torture');
    for (const step of steps) {
      if (!String(ctx[step]).includes(`${step} is done.`))
        this.#complain(`${step} is not done: ${String(ctx[step])}`);
    }
    this.#checkRows();
    this.#checkEffects();
    const ledger = checkLedger(this.#stage.manifest(), storedRows(this.#stage.runDir));
    for (const fault of ledger) this.#complain(fault);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stage.close();
  }

  /** A random moment: some requests from now, and a little later. False when it got through first. */
  async #reachMoment(host: Host): Promise<boolean> {
    const wanted = this.requests + Math.floor(this.#random() * 4);
    const jitterMs = this.#random() * longestJitterMs * (wanted === this.requests ? 5 : 1);
    const reached = (): boolean => host.isOver || this.requests >= wanted;
    await until('a request or the end', reached, patienceMs);
    await delay(jitterMs);
    return !host.isOver;
  }

  #checkRequest(request: ScriptedRequest): void {
    const { step, finished } = seenWork(request);
    const lost = [...this.#acknowledged].filter(
      (token) => token.startsWith(`${step}-`) && !finished.has(token),
    );
    if (lost.length > 0) this.#complain(`request ${request.index} does not show ${lost.join()}`);
    const known = this.#sessions.get(step) ?? request.sessionId ?? '';
    this.#sessions.set(step, known);
    if (known !== request.sessionId) this.#complain(`${step} got a second session`);
    const text = JSON.stringify(request.messages);
    if (text.includes('No response requested')) this.#complain(`request ${request.index}: filler`);
  }

  #checkRows(): void {
    const rows = storedRows(this.#stage.runDir);
    const uuids = new Set(rows.map((row) => String((JSON.parse(row) as { uuid?: string }).uuid)));
    const lost = [...this.#uuids].filter((uuid) => !uuids.has(uuid));
    if (lost.length > 0) this.#complain(`${lost.length} stored rows are gone`);
    this.#uuids = uuids;
    this.#acknowledged = finishedTokens(
      rows.filter((row) => row.includes('tool_result')).join('\n'),
    );
  }

  #checkEffects(): void {
    const path = join(this.#stage.workspace, 'effects');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    const doubled = lines.filter((line, index) => lines.indexOf(line) !== index);
    if (doubled.length > 0) this.#complain(`doubled side effects: ${doubled.join()}`);
    if (new Set(lines).size !== tokensPerStep * steps.length)
      this.#complain(`effects: ${lines.join()}`);
  }

  #complain(what: string): void {
    this.violations.push(what);
  }
}
