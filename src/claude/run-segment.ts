import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Query, SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { SessionStore } from '../sessions/session-store.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import { type SpawnAgent, spawnAgentProcess } from './child-process.ts';
import type { EngineSignal, SegmentMessage, SegmentRequest, SegmentResult } from './engine.ts';
import { agentEnvironment, wakeEnvironment } from './environment.ts';
import { segmentHooks } from './hooks.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageReader } from './message-reader.ts';
import { buildOptions } from './options.ts';
import { commandLine, processesWithMark } from './process-list.ts';
import { PromptInput } from './prompt-input.ts';
import type { SessionFiles } from './session-files.ts';
import { SessionMirror } from './session-mirror.ts';
import { clip } from './tool-text.ts';
import type { Watcher } from './watcher.ts';
import { contextTokens } from '../events/token-counts.ts';

/** What every segment of an engine shares. */
export interface SegmentContext {
  readonly store: SessionStore;
  readonly files: SessionFiles;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectSettings: boolean;
  readonly flowerVersion: string;
  readonly watcher: Watcher;
}

/** How long Claude Code may take to leave by itself after its last result, in milliseconds. */
const leaveTimeoutMs = 5_000;

/**
 * How long a wake in mid-turn may stay without a sign of its turn, in milliseconds. The variables
 * behind it are undocumented, so a binary that ignores them gets the text as a message.
 */
const wakeTimeoutMs = 20_000;

/** Runs one agent process; see {@link Engine.run} for the contract. */
export async function* runSegment(
  request: SegmentRequest,
  context: SegmentContext,
): AsyncGenerator<SegmentMessage, void, undefined> {
  const segment = new Segment(request, context);
  yield* segment.run();
}

class Segment {
  readonly #request: SegmentRequest;
  readonly #context: SegmentContext;
  readonly #out = new MessageQueue<SegmentMessage>();
  readonly #reader = new MessageReader();
  readonly #input = new PromptInput();
  readonly #mirror: SessionMirror;
  readonly #spawn: SpawnAgent;
  readonly #abort = new AbortController();
  #wakeTimer: NodeJS.Timeout | undefined;
  #leaveTimer: NodeJS.Timeout | undefined;
  #agentPid = 0;
  readonly #strays = new Map<number, string>();

  constructor(request: SegmentRequest, context: SegmentContext) {
    this.#request = request;
    this.#context = context;
    this.#mirror = new SessionMirror(context.store, {
      onFirstRecord: request.onRecord,
      onUsage: ({ messageId, model, tokens }, subpath) =>
        this.#out.push({
          kind: 'event',
          event: {
            type: 'usage',
            messageId,
            model,
            tokens,
            context: contextTokens(tokens),
            ...(subpath === undefined ? {} : { subagent: { id: agentIdOf(subpath) } }),
          },
        }),
    });
    this.#spawn = spawnAgentProcess({
      mark: request.mark,
      watcher: context.watcher,
      onStart: (pid, start) => {
        this.#agentPid = pid;
        request.onProcess(pid, start);
      },
    });
  }

  async *run(): AsyncGenerator<SegmentMessage, void, undefined> {
    const work = this.#work().then((result) => {
      this.#out.push(result);
      this.#out.close();
    });
    yield* this.#out;
    await work;
  }

  async #work(): Promise<SegmentResult> {
    let failure: { readonly error: unknown } | undefined;
    const stop = (): void => this.#stop();
    this.#request.signal.addEventListener('abort', stop, { once: true });
    try {
      if (this.#request.signal.aborted) throw new Error('Stopped before the start.');
      await this.#converse();
    } catch (error) {
      failure = { error };
    } finally {
      clearTimeout(this.#wakeTimer);
      clearTimeout(this.#leaveTimer);
      this.#request.signal.removeEventListener('abort', stop);
      this.#input.close();
    }
    // The tail of standard error is whole only once the process is gone.
    await this.#end();
    return this.#result(failure === undefined ? undefined : this.#failureOf(failure.error));
  }

  async #converse(): Promise<void> {
    // Loaded here and not at the top: the SDK takes 0.1 s, which `flower status` must not pay.
    const { query } = await import('@anthropic-ai/claude-agent-sdk');
    const conversation = query({
      prompt: this.#input.messages(),
      options: buildOptions(this.#request, {
        workspace: this.#context.workspace,
        projectSettings: this.#context.projectSettings,
        environment: this.#environment(),
        sessionStore: this.#mirror.asSdkStore(),
        hooks: segmentHooks(this.#request.spec, {
          mirror: this.#mirror,
          onSignal: (signal) => this.#signal(signal),
        }),
        spawn: this.#spawn,
        abortController: this.#abort,
      }),
    });
    if (this.#request.start === 'turn') this.#armWakeFallback();
    else this.#input.say(this.#request.prompt);
    await this.#read(conversation);
  }

  async #read(conversation: Query): Promise<void> {
    for await (const message of conversation) {
      for (const translated of this.#reader.read(message)) this.#out.push(translated);
      // The turn has begun, however long its first answer takes: without one, no init comes.
      if (isInit(message) || this.#reader.spoken) clearTimeout(this.#wakeTimer);
      // Ended by force first: leaving the loop would give the agent two more seconds to try.
      if (this.#reader.isRefused) this.#stop();
      if (message.type === 'result' && !this.#isEmptyPrelude()) {
        this.#lookForStrays();
        this.#input.close();
        this.#leaveInTime();
      }
    }
  }

  /** After a cut subagent the binary sends an empty result before the real turn (measured). */
  #isEmptyPrelude(): boolean {
    const result = this.#reader.result;
    return (
      this.#request.start === 'turn' &&
      !this.#reader.spoken &&
      result !== undefined &&
      result.ok &&
      result.numTurns === 0
    );
  }

  #armWakeFallback(): void {
    this.#wakeTimer = setTimeout(() => this.#input.say(this.#request.prompt), wakeTimeoutMs);
  }

  #leaveInTime(): void {
    clearTimeout(this.#leaveTimer);
    this.#leaveTimer = setTimeout(() => this.#stop(), leaveTimeoutMs);
  }

  #stop(): void {
    void this.#spawn.end();
    this.#abort.abort();
  }

  #environment(): Record<string, string> {
    const { start, prompt, spec, mark } = this.#request;
    return agentEnvironment({
      base: withConfigDirectory(this.#context.env),
      mark,
      version: this.#context.flowerVersion,
      ...(spec.env === undefined ? {} : { specEnv: spec.env }),
      ...(start === 'turn' ? { extra: wakeEnvironment(prompt) } : {}),
    });
  }

  /** Ends what is left of the process tree and takes in rows that only the local file has. */
  async #end(): Promise<void> {
    const { ended, left } = await this.#spawn.end();
    if (left.length > 0) {
      this.#signal({ type: 'alarm', code: 'orphans-left', params: { pids: left.join(' ') } });
    }
    const strays = ended.flatMap((pid) => this.#strays.get(pid) ?? []);
    if (strays.length > 0) {
      const params = { count: strays.length, what: strays.join('; ') };
      this.#signal({ type: 'notice', code: 'orphans-ended', params });
    }
    if (!this.#isWhole) await this.#takeIn();
    if (this.#reader.spoken && this.#mirror.rows === 0) {
      const params = { detail: this.#request.sessionId };
      this.#signal({ type: 'alarm', code: 'transcript-not-saved', params });
    }
  }

  /** Notes what commands of the agent still run at its end, before they are ended with it. */
  #lookForStrays(): void {
    if (!this.#reader.hasRunCommands) return;
    for (const pid of processesWithMark(this.#request.mark)) {
      if (pid !== this.#agentPid) this.#strays.set(pid, clip(commandLine(pid), 100));
    }
  }

  /** After an orderly end every row has come by the mirror. */
  get #isWhole(): boolean {
    return this.#reader.result?.ok === true && !this.#reader.hasLostRows && this.#mirror.rows > 0;
  }

  async #takeIn(): Promise<void> {
    try {
      for (const { entry, subpath } of await this.#context.files.takeIn(this.#request.sessionId)) {
        this.#mirror.note(entry, subpath);
      }
    } catch (error) {
      // They stay in Claude Code's own file, and the next wake takes them in.
      if (this.#reader.spoken && this.#mirror.rows === 0) this.#request.onRecord();
      const detail = error instanceof Error ? error.message : String(error);
      this.#signal({ type: 'alarm', code: 'transcript-not-saved', params: { detail } });
    }
  }

  #failureOf(error: unknown): FailureFacts {
    const stderr = this.#spawn.stderrTail().trim();
    const message = error instanceof Error ? error.message : String(error);
    return {
      ...this.#reader.apiError,
      message: this.#reader.apiError?.message ?? (stderr === '' ? message : `${message} ${stderr}`),
      ...(stderr === '' ? {} : { stderr }),
    };
  }

  #result(failure: FailureFacts | undefined): SegmentResult {
    const read = this.#reader.result;
    const tokens = this.#mirror.tokens;
    // The SDK throws after an error result that it has already delivered: the result says more.
    if (read !== undefined) return { kind: 'result', ...read, tokens };
    return {
      kind: 'result',
      ok: false,
      costUsd: null,
      numTurns: 0,
      facts: failure ?? { message: 'Claude Code ended without a result.' },
      modelUsage: {},
      tokens,
    };
  }

  #signal(signal: EngineSignal): void {
    this.#out.push({ kind: 'signal', signal });
  }
}

/**
 * The SDK looks for the agent's files below this process's home: with another home they must be
 * named, or the rows never reach the store (measured).
 */
function withConfigDirectory(env: SegmentContext['env']): SegmentContext['env'] {
  const home = env['HOME'];
  if (env['CLAUDE_CONFIG_DIR'] !== undefined || home === undefined || home === homedir())
    return env;
  return { ...env, CLAUDE_CONFIG_DIR: join(home, '.claude') };
}

function isInit(message: SDKMessage): boolean {
  return message.type === 'system' && message.subtype === 'init';
}

function agentIdOf(subpath: string): string {
  return subpath.replace(/^.*agent-/, '');
}
