import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { descendants } from '../../src/claude/process-tree.ts';
import { findProcess } from '../../src/claude/process-list.ts';
import type { FlowerEvent } from '../../src/index.ts';
import type { KnownProcess } from './processes.ts';
import { until } from './until.ts';

/** ctx as it comes out of the process: what JSON holds of it. */
export interface HostContext {
  readonly _woke: number;
  readonly _sessions: Readonly<Record<string, string>>;
  readonly _failedAt?: string;
  readonly _aborted?: string;
  readonly [key: string]: unknown;
}

/** How a host ended. */
export interface HostEnd {
  readonly exitCode: number | null;
  readonly ctx: HostContext | undefined;
  readonly error:
    | { readonly code?: string; readonly params?: unknown; readonly text: string }
    | undefined;
  readonly events: readonly FlowerEvent[];
  readonly stderr: string;
}

type Line =
  | { readonly event: FlowerEvent }
  | { readonly ctx: HostContext }
  | { readonly error: NonNullable<HostEnd['error']> };

/** Where and how a host is started. */
export interface HostPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Command that starts it, with its arguments; empty for Node itself. */
  readonly through: readonly string[];
}

const script = fileURLToPath(new URL('host.mjs', import.meta.url));

/** One process that runs a flow, from start to end or to its violent death. */
export class Host {
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;
  readonly #events: FlowerEvent[] = [];
  #ctx: HostContext | undefined;
  #error: HostEnd['error'];
  #stderr = '';

  constructor(target: string, options: object, { env, cwd, through }: HostPlace) {
    const host = [process.execPath, script, target, JSON.stringify(options)];
    const [command = '', ...args] = [...through, ...host];
    this.#child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = new Promise((resolve) => {
      this.#child.once('close', (code) => resolve(code));
    });
    this.#read();
  }

  /** @throws when it could not be started. */
  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('The host could not be started.');
    return pid;
  }

  get events(): readonly FlowerEvent[] {
    return this.#events;
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** What it said of its failure, if it did. */
  get lastWords(): string {
    return `${this.#error?.text ?? ''} ${this.#stderr}`.trim();
  }

  /** Everything below the host at this moment: watcher, agent, tools. */
  descendants(): KnownProcess[] {
    return descendants(this.pid).flatMap((pid) => findProcess(pid) ?? []);
  }

  /** Waits for an event of this type that fits. */
  async event<Type extends FlowerEvent['type']>(
    type: Type,
    fits: (event: Extract<FlowerEvent, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<FlowerEvent, { type: Type }>> {
    const isWanted = (event: FlowerEvent): event is Extract<FlowerEvent, { type: Type }> =>
      event.type === type && fits(event as Extract<FlowerEvent, { type: Type }>);
    return await until(`event ${type}; the host said ${this.#stderr}`, () =>
      this.#events.find(isWanted),
    );
  }

  /** SIGKILL to the host alone, as the kernel or a person would; resolves when it is gone. */
  async kill(): Promise<HostEnd> {
    this.#child.kill('SIGKILL');
    return await this.end();
  }

  /** Resolves when the process has ended, however it ends. */
  async end(): Promise<HostEnd> {
    const exitCode = await this.#exit;
    const [ctx, error, stderr] = [this.#ctx, this.#error, this.#stderr];
    return { exitCode, ctx, error, events: this.#events, stderr };
  }

  #read(): void {
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Line);
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  #take(line: Line): void {
    if ('event' in line) this.#events.push(line.event);
    else if ('ctx' in line) this.#ctx = line.ctx;
    else this.#error = line.error;
  }
}
