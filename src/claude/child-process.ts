import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

import type { SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';

import { markVariable } from './process-list.ts';
import {
  endTree,
  killTreeOnce,
  type ProcessTree,
  processStart,
  type TreeEnd,
} from './process-tree.ts';
import type { Watcher } from './watcher.ts';

/** How the process of one agent is started. */
export interface AgentProcessOptions {
  /** Unique for this process: everything that carries it is ended with it. */
  readonly mark: string;
  readonly watcher: Watcher;
  /**
   * Called synchronously, once, before anything is written to the process. `start` is its start
   * token. If it throws, the process is ended and the SDK gets the error.
   */
  readonly onStart?: (pid: number, start: string) => void;
  /** Gets standard error as it comes. */
  readonly onStderr?: (text: string) => void;
}

/** Starts one agent process; to be given to the SDK as `spawnClaudeCodeProcess`. */
export interface SpawnAgent {
  (options: SpawnOptions): SpawnedProcess;
  /**
   * Ends the whole tree with its strays and waits until the process is reaped and its standard error
   * read to the end. Resolves also when nothing was started, or when all has ended long ago; every
   * call gives the same answer. Never rejects.
   */
  end(): Promise<TreeEnd>;
  /**
   * The last 8 KB of standard error, complete after `end`. With an own start function the SDK's
   * errors say nothing of it: why a process refused to start stands only here.
   */
  stderrTail(): string;
}

const stderrTailLength = 8_192;
const reapTimeoutMs = 2_000;

/**
 * Makes the function that starts an agent's process for the SDK, once.
 *
 * The process leads a session of its own and is under watch from its first moment. `kill` with a
 * signal that means the end, and the abort signal of the SDK, end the whole tree; when the process
 * ends by itself, what it left behind is ended too.
 *
 * @example
 * ```ts
 * const spawnAgent = spawnAgentProcess({ mark, watcher });
 * const messages = query({ prompt, options: { spawnClaudeCodeProcess: spawnAgent } });
 * // read the messages, then
 * await spawnAgent.end();
 * ```
 */
export function spawnAgentProcess(options: AgentProcessOptions): SpawnAgent {
  const agent = new AgentProcess(options);
  return Object.assign((launch: SpawnOptions) => agent.launch(launch), {
    end: () => agent.end(),
    stderrTail: () => agent.stderrTail,
  });
}

class AgentProcess {
  readonly #options: AgentProcessOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #start: string | undefined;
  #ending: Promise<TreeEnd> | undefined;
  stderrTail = '';

  constructor(options: AgentProcessOptions) {
    this.#options = options;
  }

  launch(launch: SpawnOptions): SpawnedProcess {
    if (this.#child !== undefined) throw new Error('This agent process was started already.');
    const child = spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      detached: true,
      env: { ...launch.env, [markVariable]: this.#options.mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#child = child;
    // The SDK adds its own listeners; these keep a failure before or after that from crashing the host.
    child.on('error', () => undefined);
    if (child.pid === undefined) return asSpawnedProcess(child, () => false);
    try {
      this.#begin(child, child.pid, launch.signal);
    } catch (error) {
      void this.end();
      throw error;
    }
    return asSpawnedProcess(child, (signal) => this.#kill(signal));
  }

  end(): Promise<TreeEnd> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  #begin(child: ChildProcessWithoutNullStreams, pid: number, signal: AbortSignal): void {
    const { mark, onStart, watcher } = this.#options;
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', () => undefined);
    }
    this.#start = processStart(pid);
    watcher.add(pid, mark);
    this.#keepStderr(child);
    const abort = (): void => void this.end();
    child.once('exit', () => {
      signal.removeEventListener('abort', abort);
      void this.end();
    });
    onStart?.(pid, this.#start ?? '');
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }

  #keepStderr(child: ChildProcessWithoutNullStreams): void {
    const decoder = new StringDecoder('utf8');
    const keep = (text: string): void => {
      if (text === '') return;
      this.stderrTail = (this.stderrTail + text).slice(-stderrTailLength);
      this.#options.onStderr?.(text);
    };
    child.stderr.on('data', (chunk: Buffer) => keep(decoder.write(chunk)));
    child.stderr.on('end', () => keep(decoder.end()));
  }

  #kill(signal: NodeJS.Signals): boolean {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    if (!endingSignals.has(signal)) return child.kill(signal);
    killTreeOnce(this.#tree());
    void this.end();
    // Already struck with its tree; this only lets `killed` tell the truth.
    return child.kill('SIGKILL');
  }

  async #end(): Promise<TreeEnd> {
    const child = this.#child;
    if (child?.pid === undefined) return { ended: [], left: [] };
    const over = Promise.all([exitOf(child), stderrEndOf(child)]);
    const result = await endTree(this.#tree());
    await withinTime(over);
    // With something left the watcher keeps its eye on it.
    if (result.left.length === 0) this.#options.watcher.remove(child.pid);
    return result;
  }

  #tree(): ProcessTree {
    const pid = this.#child?.pid;
    const { mark } = this.#options;
    return pid === undefined || this.#start === undefined
      ? { mark }
      : { pid, start: this.#start, mark };
  }
}

const endingSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGHUP',
  'SIGKILL',
  'SIGQUIT',
  'SIGTERM',
]);

function asSpawnedProcess(
  child: ChildProcessWithoutNullStreams,
  kill: (signal: NodeJS.Signals) => boolean,
): SpawnedProcess {
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    get killed() {
      return child.killed;
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill,
    on: child.on.bind(child),
    once: child.once.bind(child),
    off: child.off.bind(child),
  };
}

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}

async function stderrEndOf({ stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  if (stderr.readableEnded || stderr.destroyed) return;
  await new Promise((resolve) => stderr.once('close', resolve));
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, reapTimeoutMs);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
