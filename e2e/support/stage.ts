import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowRunOptions } from '../../src/index.ts';
import {
  conversationText,
  createTestHome,
  type ScriptedApi,
  type ScriptedRequest,
  type ScriptReply,
  startScriptedApi,
  type TestHome,
} from '../../src/testing/index.ts';
import { Host, type HostContext, type HostEnd } from './host.ts';
import { isRunning, processesWith } from './processes.ts';
import { hasOpenRow, storedRows } from './stored-rows.ts';
import { until } from './until.ts';

/** A row of `manifest.json`, as far as the tests look at it. */
export interface Row {
  readonly run: string;
  readonly step: string;
  readonly session_id: string | null;
  readonly ok: boolean;
  readonly error: string | null;
  readonly cost_usd: number;
  readonly duration_s: number;
  readonly resumed: boolean;
  readonly text: string;
  readonly tokens: { readonly input_tokens: number; readonly output_tokens: number };
  readonly unpriced_tokens: number;
}

/** `lineage.json`. */
export interface LineageText {
  readonly workspace: string;
  readonly woke: number;
  readonly steps: Readonly<Record<string, string>>;
}

/** How a host is started. */
export interface StartOptions {
  /** What the flow reads as `variant`. */
  readonly variant?: string;
  readonly run?: Pick<WorkflowRunOptions, 'from' | 'only' | 'fresh' | 'new' | 'moved'>;
  readonly runtime?: { readonly projectSettings?: boolean };
  /** Another pair of folders than the stage's own. */
  readonly workspace?: string;
  readonly runDir?: string;
  /** Command that starts the host, for example with other rights. */
  readonly through?: readonly string[];
}

const flows = fileURLToPath(new URL('flows.ts', import.meta.url));
const endTimeoutMs = 60_000;
const waitTimeoutMs = 40_000;
/** A killed host's processes have to be gone by then. */
const orphanTimeoutMs = 3_000;

/**
 * One scripted API, one home, one workspace with its run directory, and the hosts that work there.
 *
 * Nothing outlives `close`: it ends the hosts that still run, waits for their agents, and removes
 * the folders.
 */
export class Stage implements AsyncDisposable {
  readonly api: ScriptedApi;
  readonly home: TestHome;
  readonly workspace: string;
  readonly runDir: string;
  readonly #signals: string;
  readonly #replies: ReplyQueues;
  readonly #hosts: Host[] = [];

  private constructor(api: ScriptedApi, home: TestHome, replies: ReplyQueues) {
    this.api = api;
    this.home = home;
    this.#replies = replies;
    this.workspace = home.workspace;
    this.runDir = join(home.path, 'runs');
    this.#signals = join(home.path, 'signals');
    mkdirSync(this.#signals);
  }

  static async open(): Promise<Stage> {
    const replies: ReplyQueues = { main: [], subagents: [], byCode: undefined };
    const api = await startScriptedApi({ script: (request) => next(replies, request) });
    return new Stage(api, await createTestHome({ api }), replies);
  }

  /** What the model will say next, in order, whichever session asks. */
  say(...replies: ScriptReply[]): void {
    this.#replies.main.push(...replies);
  }

  /** What subagents will say next. */
  saySubagent(...replies: ScriptReply[]): void {
    this.#replies.subagents.push(...replies);
  }

  /** Lets code decide each reply from now on. */
  answerBy(decide: (request: ScriptedRequest) => ScriptReply): void {
    this.#replies.byCode = decide;
  }

  /** Starts a flow of `flows.ts` in a process of its own. */
  start(flow: string, options: StartOptions = {}): Host {
    const { variant = '', run = {}, runtime = {} } = options;
    const { workspace = this.workspace, runDir = this.runDir } = options;
    const env = { ...this.home.env, STAGE_SIGNALS: this.#signals, STAGE_VARIANT: variant };
    const settings = { workspace, runDir, run, runtime };
    const place = { env, cwd: this.home.path, through: options.through ?? [] };
    const host = new Host(`${flows}:${flow}`, settings, place);
    this.#hosts.push(host);
    return host;
  }

  /** Runs a flow to its end. */
  async run(flow: string, options: StartOptions = {}): Promise<HostEnd & { ctx: HostContext }> {
    const end = await this.#endOf(this.start(flow, options));
    if (end.ctx === undefined || end.exitCode !== 0) {
      throw new Error(`${flow} failed: ${end.error?.text} ${end.stderr}`);
    }
    return { ...end, ctx: end.ctx };
  }

  /** Runs something that is expected to be refused. */
  async refused(flow: string, options: StartOptions = {}): Promise<NonNullable<HostEnd['error']>> {
    const end = await this.#endOf(this.start(flow, options));
    if (end.error === undefined) throw new Error(`${flow} was not refused.`);
    return end.error;
  }

  /** kill -9 of the host; whatever was cut, its files can be read, and no process of it is left. */
  async kill(host: Host): Promise<void> {
    const below = host.descendants();
    await host.kill();
    await until(
      'the end of every process of the killed host',
      () => this.processes().length === 0 && !below.some(isRunning),
      orphanTimeoutMs,
    );
    this.lineage();
    this.manifest();
  }

  /** Processes of this stage that run now: hosts, agents, tools. Watchers carry no environment. */
  processes(): readonly { readonly pid: number }[] {
    return processesWith('HOME', this.home.home);
  }

  /** Waits until a reply stands at this hold: its request is on disk, its answer is not. */
  async held(name: string): Promise<void> {
    let isHeld = false;
    const hold = this.api.waitForHold(name, { timeoutMs: waitTimeoutMs }).then(() => {
      isHeld = true;
    });
    await Promise.all([hold, this.until(`the hold ${name}`, () => isHeld)]);
  }

  /** Waits until `look` finds something; gives up when every host has ended before that. */
  async until<Found>(what: string, look: () => Found | undefined | false): Promise<Found> {
    return await until(
      what,
      () => {
        const found = look();
        const isHopeless = found === undefined || found === false;
        if (isHopeless && this.#hosts.every((host) => host.isOver)) {
          throw new Error(`The host ended before ${what}: ${this.#hosts.at(-1)?.lastWords}`);
        }
        return found;
      },
      waitTimeoutMs,
    );
  }

  /** Waits until a gate of a flow says that it was reached. */
  async signal(name: string): Promise<void> {
    await this.until(`the signal ${name}`, () => existsSync(join(this.#signals, name)));
  }

  /** Lets a gate go on that waits for it. */
  letGo(name: string): void {
    writeFileSync(join(this.#signals, `${name}.go`), '');
  }

  /** Waits until an attempt of this host is noted on disk; its agent is about to start. */
  async begun(host: Host): Promise<void> {
    await this.until('the begin of an attempt', () => hasOpenRow(this.runDir, host.pid));
  }

  /** Waits until a transcript row that holds `text` is in the database. */
  async stored(text: string): Promise<void> {
    await this.until(`a row with ${text}`, () =>
      storedRows(this.runDir).some((row) => row.includes(text)),
    );
  }

  /** Waits for a file of the workspace. */
  async file(name: string): Promise<string> {
    const path = join(this.workspace, name);
    await this.until(`the file ${name}`, () => existsSync(path));
    return readFileSync(path, 'utf8');
  }

  /** Requests of the conversations so far, subagents and side requests left out. */
  get requests(): readonly ScriptedRequest[] {
    return this.api.requests.filter((request) => request.kind === 'main');
  }

  /** One of them; negative numbers count from the end. */
  request(place: number): ScriptedRequest {
    const found = this.requests.at(place);
    if (found === undefined) throw new Error(`There were only ${this.requests.length} requests.`);
    return found;
  }

  /** All text of that request's conversation. */
  heard(place: number): string {
    return conversationText(this.request(place));
  }

  /** Steps of the manifest's rows in order, each with its outcome. */
  rows(): string[] {
    return this.manifest().map(({ step, ok, error }) => `${step} ${ok ? 'ok' : error}`);
  }

  /** Parsed `manifest.json`; no rows when there is none. */
  manifest(runDir = this.runDir): readonly Row[] {
    const path = join(runDir, 'manifest.json');
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Row[]) : [];
  }

  /** Parsed `lineage.json`. */
  lineage(runDir = this.runDir): LineageText | undefined {
    const path = join(runDir, 'lineage.json');
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LineageText) : undefined;
  }

  /** Session that the lineage names for a step, as soon as it does. */
  chosen(key: string): string | undefined {
    return this.lineage()?.steps[key];
  }

  async close(): Promise<void> {
    for (const host of this.#hosts) if (!host.isOver) await host.kill();
    await until('the end of all processes', () => this.processes().length === 0);
    await this.api.close();
    await this.home.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #endOf(host: Host): Promise<HostEnd> {
    await until(
      `the end of a host; it said ${JSON.stringify(host.events.slice(-3))}`,
      () => host.isOver,
      endTimeoutMs,
    );
    return await host.end();
  }
}

interface ReplyQueues {
  readonly main: ScriptReply[];
  readonly subagents: ScriptReply[];
  byCode: ((request: ScriptedRequest) => ScriptReply) | undefined;
}

function next(replies: ReplyQueues, request: ScriptedRequest): ScriptReply | undefined {
  if (replies.byCode !== undefined) return replies.byCode(request);
  return request.kind === 'subagent' ? replies.subagents.shift() : replies.main.shift();
}
