import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type {
  Engine,
  SegmentMessage,
  SegmentRequest,
  SegmentResult,
  SessionStanding,
} from '../claude/engine.ts';
import { MessageQueue } from '../claude/message-queue.ts';
import { projectKeyOf } from '../claude/project-key.ts';
import { SessionFiles } from '../claude/session-files.ts';
import { SessionMirror } from '../claude/session-mirror.ts';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import type { TokenCounts } from '../events/event.ts';
import { contextTokens } from '../events/token-counts.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';

/** Model of every scripted response. */
export const scriptedModel = 'claude-scripted-1';

/** Tokens of a scripted response. */
export const scriptedTokens: TokenCounts = Object.freeze({
  inputTokens: 100,
  outputTokens: 10,
  cacheReadTokens: 1000,
  cacheWriteTokens: 50,
});

/** Where a segment stays until it is stopped (or its process is killed). */
export type HoldPlace =
  /** Nothing is on disk. */
  | 'start'
  /** The prompt is on disk. */
  | 'prompt'
  /** The answer is on disk too, the result has not come. */
  | 'answer';

/** One segment of a script. A text alone is an answer that says it. */
export interface ScriptedSegment {
  /** What the main thread says, one response each. */
  readonly says?: readonly string[];
  /** Tool calls of the last response; they stay without results. */
  readonly calls?: readonly string[];
  /** Structured answer. */
  readonly structured?: unknown;
  /** Ends as a failure with these facts. */
  readonly facts?: FailureFacts;
  /** `false`: no row reaches the store. */
  readonly rows?: boolean;
  readonly tokens?: TokenCounts;
  /** @defaultValue 0.01; `null` for a process that did not say it */
  readonly costUsd?: number | null;
  readonly modelUsage?: SegmentResult['modelUsage'];
  readonly tells?: readonly SegmentMessage[];
  readonly holds?: HoldPlace;
}

/** Where the scripted agent works. */
export interface ScriptedEngineOptions {
  readonly workspace: string;
  readonly runDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly script: readonly (ScriptedSegment | string)[];
}

interface Opened {
  readonly database: RunDatabase;
  readonly store: SqliteSessionStore;
  readonly files: SessionFiles;
}

/**
 * An engine that plays a script instead of driving Claude Code.
 *
 * Everything below the process is real: rows go through the real mirror into the real database, and
 * sessions are inspected as the real engine does it. A segment that the script does not have fails
 * the test; `unplayed` says what is left.
 */
export class ScriptedEngine implements Engine {
  readonly sdkVersion = '0.0.0-scripted';
  readonly requests: SegmentRequest[] = [];
  /** Thrown by the next `inspect`, once. */
  nextInspectError: Error | undefined;
  readonly #options: ScriptedEngineOptions;
  readonly #script: (ScriptedSegment | string)[];
  readonly #projectKey: string;
  readonly #held = new Set<() => void>();
  #holding = 0;
  #opened: Opened | undefined;

  constructor(options: ScriptedEngineOptions) {
    this.#options = options;
    this.#script = [...options.script];
    this.#projectKey = projectKeyOf(options.workspace);
  }

  /** Segments that were not asked for. */
  get unplayed(): number {
    return this.#script.length;
  }

  /** How each segment began and what it was told. */
  get heard(): readonly (readonly [SegmentRequest['start'], string])[] {
    return this.requests.map(({ start, prompt }) => [start, prompt] as const);
  }

  /** Resolves when a segment is held. */
  untilHeld(): Promise<void> {
    if (this.#holding > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#held.add(resolve);
    });
  }

  inspect(sessionId: string): Promise<SessionStanding> {
    const error = this.nextInspectError;
    this.nextInspectError = undefined;
    return error === undefined ? this.#open().files.inspect(sessionId) : Promise.reject(error);
  }

  async *run(request: SegmentRequest): AsyncGenerator<SegmentMessage, void, undefined> {
    this.requests.push(request);
    const next = this.#script.shift();
    if (next === undefined) throw new Error(`No segment is scripted for: ${request.prompt}`);
    const segment = typeof next === 'string' ? { says: [next] } : next;
    const out = new MessageQueue<SegmentMessage>();
    const work = this.#play(request, segment, out).finally(() => out.close());
    yield* out;
    await work;
  }

  /** The rows of a session, as they are stored. */
  async rowsOf(sessionId: string): Promise<TranscriptEntry[]> {
    return (await this.#open().store.load({ projectKey: this.#projectKey, sessionId })) ?? [];
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  async #play(
    request: SegmentRequest,
    segment: ScriptedSegment,
    out: MessageQueue<SegmentMessage>,
  ): Promise<void> {
    const mirror = this.#mirror(request, out);
    out.push({ kind: 'init', binaryVersion: '0.0.0', model: scriptedModel });
    for (const message of segment.tells ?? []) out.push(message);
    if (request.signal.aborted || segment.holds === 'start') await this.#hold(request);
    const isSaid = segment.rows !== false && !request.signal.aborted;
    if (isSaid && request.start !== 'turn') {
      await this.#append(mirror, request, [promptRow(request.prompt)]);
    }
    if (segment.holds === 'prompt') await this.#hold(request);
    if (!request.signal.aborted) {
      for (const text of segment.says ?? []) {
        out.push({ kind: 'event', event: { type: 'text', text } });
      }
      if (isSaid) await this.#append(mirror, request, answerRows(segment));
    }
    if (segment.holds === 'answer') await this.#hold(request);
    out.push(resultOf(request, segment, mirror));
  }

  async #hold({ signal }: SegmentRequest): Promise<void> {
    if (signal.aborted) return;
    this.#holding += 1;
    for (const resolve of this.#held) resolve();
    this.#held.clear();
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
    this.#holding -= 1;
  }

  #mirror(request: SegmentRequest, out: MessageQueue<SegmentMessage>): SessionMirror {
    return new SessionMirror(this.#open().store, {
      onFirstRecord: request.onRecord,
      onUsage: ({ messageId, model, tokens }) => {
        const context = contextTokens(tokens);
        out.push({ kind: 'event', event: { type: 'usage', messageId, model, tokens, context } });
      },
    });
  }

  async #append(
    mirror: SessionMirror,
    { sessionId }: SegmentRequest,
    rows: readonly TranscriptEntry[],
  ): Promise<void> {
    const known = await this.rowsOf(sessionId);
    let parentUuid = known.findLast((row) => row.uuid !== undefined)?.uuid ?? null;
    for (const row of rows) {
      const placed: TranscriptEntry = {
        ...row,
        uuid: randomUUID(),
        parentUuid,
        sessionId,
        isSidechain: false,
        timestamp: new Date().toISOString(),
      };
      await mirror.append({ projectKey: this.#projectKey, sessionId }, [placed]);
      parentUuid = placed.uuid ?? null;
    }
  }

  /** Its own connection to the run's database, as another process would have. */
  #open(): Opened {
    if (this.#opened !== undefined) return this.#opened;
    const { workspace, runDir, env } = this.#options;
    const database = openRunDatabase(join(runDir, 'sessions.db'));
    const store = new SqliteSessionStore(database);
    const files = new SessionFiles({ store, workspace, env });
    this.#opened = { database, store, files };
    return this.#opened;
  }
}

function promptRow(text: string): TranscriptEntry {
  return { type: 'user', message: { role: 'user', content: text } };
}

function answerRows(segment: ScriptedSegment): TranscriptEntry[] {
  const { says = [], calls = [], structured, facts } = segment;
  const isCut = facts !== undefined;
  const rows = says.map((text, index) => {
    const isLast = index === says.length - 1 && calls.length === 0;
    return answerRow(segment, [{ type: 'text', text }], isLast && isCut ? null : 'end_turn');
  });
  if (calls.length > 0) rows.push(answerRow(segment, calls.map(toolUse), 'tool_use'));
  if (structured !== undefined) {
    const call = { ...toolUse('StructuredOutput'), input: structured };
    const done = { type: 'tool_result', tool_use_id: call.id, content: 'Structured output given.' };
    rows.push(answerRow(segment, [call], 'tool_use'));
    rows.push({ type: 'user', message: { role: 'user', content: [done] } });
  }
  if (isCut && facts.resultSubtype === undefined) rows.push(errorRow(facts));
  return rows;
}

function toolUse(name: string): { type: string; id: string; name: string; input: unknown } {
  return { type: 'tool_use', id: `toolu_${randomUUID()}`, name, input: {} };
}

function answerRow(
  { tokens = scriptedTokens }: ScriptedSegment,
  content: readonly unknown[],
  stopReason: string | null,
): TranscriptEntry {
  return {
    type: 'assistant',
    message: {
      id: `msg_${randomUUID()}`,
      role: 'assistant',
      model: scriptedModel,
      content,
      stop_reason: stopReason,
      usage: {
        input_tokens: tokens.inputTokens,
        output_tokens: tokens.outputTokens,
        cache_read_input_tokens: tokens.cacheReadTokens,
        cache_creation_input_tokens: tokens.cacheWriteTokens,
      },
    },
  };
}

/** The synthetic message that Claude Code writes for a failed request. */
function errorRow({ message = 'API Error', error = 'unknown' }: FailureFacts): TranscriptEntry {
  return {
    type: 'assistant',
    isApiErrorMessage: true,
    error,
    message: {
      id: randomUUID(),
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text: message }],
      stop_reason: 'stop_sequence',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}

function resultOf(
  { signal }: SegmentRequest,
  segment: ScriptedSegment,
  mirror: SessionMirror,
): SegmentResult {
  const facts = signal.aborted ? { message: 'Stopped.' } : segment.facts;
  const { costUsd = 0.01, structured, modelUsage = {} } = segment;
  return {
    kind: 'result',
    ok: facts === undefined,
    costUsd: signal.aborted ? null : costUsd,
    numTurns: signal.aborted ? 0 : Math.max(segment.says?.length ?? 0, 1),
    ...(structured === undefined ? {} : { structuredOutput: structured }),
    ...(facts === undefined ? {} : { facts }),
    modelUsage: signal.aborted ? {} : modelUsage,
    tokens: mirror.tokens,
  };
}
