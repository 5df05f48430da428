import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { FlowerError } from '../errors/flower-error.ts';
import { answerBuiltIn } from './built-in-answers.ts';
import { Gates } from './gates.ts';
import { parseBody, readBody } from './read-body.ts';
import type { ScriptPlayer } from './script-player.ts';
import type { ScriptedApi, WaitOptions } from './scripted-api.ts';
import {
  describeRequest,
  type AnswerOutcome,
  type RequestAnswer,
  type ScriptedRequest,
} from './scripted-request.ts';
import { endWithJson, errorBody, SendAborted, sendReply } from './send-reply.ts';
import { Watchers } from './watchers.ts';
import { whenAborted } from './when-aborted.ts';

/** A request whose answer is still written to. */
type RecordedRequest = Omit<ScriptedRequest, 'answer'> & { answer: RequestAnswer };

const defaultTimeoutMs = 10_000;

/** The HTTP server behind a {@link ScriptedApi}; call `listen` before anything else. */
export class ScriptedServer implements ScriptedApi {
  readonly #player: ScriptPlayer;
  readonly #host: string;
  readonly #server: Server;
  readonly #requests: RecordedRequest[] = [];
  readonly #mismatches: string[] = [];
  readonly #watchers = new Watchers();
  readonly #gates = new Gates(() => this.#watchers.notify());
  readonly #exchanges = new Map<AbortController, Promise<void>>();
  #port = 0;
  #isClosed = false;
  #isUnref = false;

  constructor(player: ScriptPlayer, host: string) {
    this.#player = player;
    this.#host = host;
    this.#server = createServer((request, response) => this.#take(request, response));
    // A connection that the server ends while the client reuses it would look like a network error.
    this.#server.keepAliveTimeout = 0;
    this.#server.on('connection', (socket) => {
      if (this.#isUnref) socket.unref();
    });
  }

  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${host}:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get requests(): readonly ScriptedRequest[] {
    return this.#requests;
  }

  env(): Readonly<Record<string, string>> {
    const direct = `${this.#host},127.0.0.1,localhost`;
    return {
      ANTHROPIC_BASE_URL: this.url,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      NO_PROXY: direct,
      no_proxy: direct,
    };
  }

  waitForRequest(
    predicate: (request: ScriptedRequest) => boolean = () => true,
    options: WaitOptions = {},
  ): Promise<ScriptedRequest> {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const detail = (): string =>
      `no request of the expected kind came within ${timeoutMs} ms; ` +
      `${this.#requests.length} others came.`;
    return this.#watchers.until(() => this.#requests.find(predicate), timeoutMs, detail);
  }

  async waitForHold(name: string, options: WaitOptions = {}): Promise<void> {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const detail = (): string => `no reply reached the hold "${name}" within ${timeoutMs} ms.`;
    const look = (): true | undefined => this.#gates.isWaiting(name) || undefined;
    await this.#watchers.until(look, timeoutMs, detail);
  }

  release(name: string): void {
    this.#gates.release(name);
  }

  assertDone(): void {
    const problems = [...this.#mismatches, ...this.#player.unused()];
    if (problems.length === 0) return;
    throw new FlowerError('script-mismatch', { detail: `${problems.join('; ')}.` });
  }

  async refuse(): Promise<void> {
    await this.#stop();
  }

  async accept(): Promise<void> {
    if (this.#isClosed || this.#server.listening) return;
    await this.listen(this.#port);
  }

  unref(): void {
    this.#isUnref = true;
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
    this.#watchers.end('it was closed.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.#host, () => {
        this.#server.off('error', reject);
        const address = this.#server.address();
        this.#port = typeof address === 'object' && address !== null ? address.port : port;
        resolve();
      });
    });
  }

  async #stop(): Promise<void> {
    const stopped = this.#server.listening
      ? new Promise((resolve) => this.#server.close(resolve))
      : undefined;
    const exchanges = [...this.#exchanges];
    for (const [controller] of exchanges) controller.abort('api-closed');
    this.#server.closeAllConnections();
    await Promise.all([stopped, ...exchanges.map(([, done]) => done)]);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const controller = new AbortController();
    response.once('close', () => controller.abort('client-gone'));
    const done = this.#exchange(request, response, controller.signal).finally(() => {
      this.#exchanges.delete(controller);
      this.#watchers.notify();
    });
    this.#exchanges.set(controller, done);
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const text = await readBody(request).catch(() => null);
    if (text === null) return;
    const record = this.#record(request, text ?? '');
    if (record.kind !== 'other' && isObject(record.body)) {
      return this.#play(response, record, signal);
    }
    const status = answerBuiltIn(response, record, text === undefined);
    record.answer = { source: 'built-in', status, outcome: 'complete' };
  }

  #record(request: IncomingMessage, text: string): RecordedRequest {
    const record: RecordedRequest = {
      ...describeRequest({
        index: this.#requests.length,
        at: Date.now(),
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: parseBody(text),
      }),
      answer: { source: 'built-in', status: 0, outcome: 'pending' },
    };
    this.#requests.push(record);
    this.#watchers.notify();
    return record;
  }

  async #play(
    response: ServerResponse,
    record: RecordedRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const choice = await Promise.race([this.#player.choose(record), whenAborted(signal)]);
    if (choice === undefined) return settle(record, reasonOf(signal));
    if (choice.source === 'mismatch') return this.#refuseMismatch(response, record, choice.detail);
    const onStatus = (status: number): void => {
      record.answer = { source: choice.source, status, outcome: 'pending' };
    };
    onStatus(0);
    const target = {
      response,
      signal,
      stream: record.stream,
      gates: this.#gates,
      defaults: { idStem: idStemOf(record), model: record.model ?? 'scripted' },
      onStatus,
    };
    try {
      settle(record, await sendReply(choice.reply, target));
    } catch (error) {
      if (error instanceof SendAborted) return settle(record, reasonOf(signal));
      this.#mismatches.push(
        `the reply to request ${record.index} cannot be sent: ${String(error)}`,
      );
      settle(record, 'cut');
      response.destroy();
    }
  }

  #refuseMismatch(response: ServerResponse, record: RecordedRequest, detail: string): void {
    this.#mismatches.push(detail);
    record.answer = { source: 'mismatch', status: 403, outcome: 'complete' };
    const body = errorBody('permission_error', `Scripted API: ${detail}`);
    endWithJson(response, 403, body, { 'x-should-retry': 'false' });
  }
}

/**
 * The same at every run, and different for each answer of a session: a session that goes on at
 * another scripted API has a longer conversation there, which the second number counts.
 */
function idStemOf(record: RecordedRequest): string {
  const index = String(record.index).padStart(4, '0');
  return `${index}m${String(record.messages.length).padStart(4, '0')}`;
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function settle(record: RecordedRequest, outcome: AnswerOutcome): void {
  record.answer = { ...record.answer, outcome };
}

function reasonOf(signal: AbortSignal): AnswerOutcome {
  return signal.reason === 'api-closed' ? 'api-closed' : 'client-gone';
}
