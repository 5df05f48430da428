import { afterEach, describe, expect, it } from 'vitest';

import { FlowerError } from '../errors/flower-error.ts';
import {
  apiError,
  cutStream,
  hold,
  messageReply,
  silence,
  startScriptedApi,
  structuredReply,
  textReply,
  thinkingReply,
  toolReply,
  type Script,
  type ScriptedApi,
} from './index.ts';
import { maxBodyBytes } from './read-body.ts';

const opened: ScriptedApi[] = [];

afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

async function start(script: Script): Promise<ScriptedApi> {
  const api = await startScriptedApi({ script });
  opened.push(api);
  return api;
}

interface AskOptions {
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly [field: string]: unknown;
}

function ask(api: ScriptedApi, options: AskOptions = {}): Promise<Response> {
  const { headers, signal, ...fields } = options;
  return fetch(`${api.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'claude-test',
      max_tokens: 1_000,
      system: [{ type: 'text', text: 'You test.' }],
      messages: [{ role: 'user', content: 'Hello' }],
      ...fields,
    }),
    ...(signal === undefined ? {} : { signal }),
  });
}

interface ServerSentEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function eventsOf(text: string): readonly ServerSentEvent[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => JSON.parse(part.slice(part.indexOf('data: ') + 6)) as ServerSentEvent);
}

async function streamed(api: ScriptedApi): Promise<readonly ServerSentEvent[]> {
  const response = await ask(api, { stream: true });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return eventsOf(await response.text());
}

describe('an answer that is not a stream', () => {
  it.each([
    ['text', textReply('Hi'), [{ type: 'text', text: 'Hi' }], 'end_turn'],
    [
      'thinking',
      thinkingReply('Hm', 'Hi'),
      [
        { type: 'thinking', thinking: 'Hm', signature: expect.any(String) },
        { type: 'text', text: 'Hi' },
      ],
      'end_turn',
    ],
    [
      'several tools after text',
      toolReply(
        [
          { name: 'Read', input: { a: 1 } },
          { name: 'Bash', input: {}, id: 'toolu_mine' },
        ],
        {
          text: 'Look:',
        },
      ),
      [
        { type: 'text', text: 'Look:' },
        { type: 'tool_use', id: 'toolu_0000m0001b1', name: 'Read', input: { a: 1 } },
        { type: 'tool_use', id: 'toolu_mine', name: 'Bash', input: {} },
      ],
      'tool_use',
    ],
    [
      'structured output',
      structuredReply({ ok: true }),
      [
        {
          type: 'tool_use',
          id: 'toolu_0000m0001b0',
          name: 'StructuredOutput',
          input: { ok: true },
        },
      ],
      'tool_use',
    ],
    [
      'a cut by max_tokens',
      messageReply([{ type: 'text', text: 'Hal' }], { stopReason: 'max_tokens' }),
      [{ type: 'text', text: 'Hal' }],
      'max_tokens',
    ],
  ])('holds %s', async (_name, reply, content, stopReason) => {
    const api = await start([reply]);

    const body: unknown = await (await ask(api)).json();

    expect(body).toEqual({
      id: 'msg_0000m0001',
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: {
        input_tokens: 100,
        output_tokens: 20,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    });
    api.assertDone();
  });

  it('takes id, model and usage from the reply', async () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const api = await start([textReply('Hi', { id: 'msg_mine', model: 'other', usage })]);

    expect(await (await ask(api)).json()).toMatchObject({
      id: 'msg_mine',
      model: 'other',
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
    });
  });

  it('is cut or silent where the stream would be', async () => {
    const api = await start([cutStream(textReply('Hi'), 2), silence()]);

    const cut = await ask(api);
    await expect(cut.text()).rejects.toThrow();

    const controller = new AbortController();
    const silent = await ask(api, { signal: controller.signal });
    controller.abort();
    await expect(silent.text()).rejects.toThrow();
    await api.waitForRequest(
      ({ index, answer }) => index === 1 && answer.outcome === 'client-gone',
    );
  });
});

describe('a streamed answer', () => {
  it('begins with the usage of the input and ends with all of it', async () => {
    const usage = { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7 };
    const api = await start([textReply('Hi', { usage })]);

    const events = await streamed(api);

    expect(events.map((event) => event.type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]).toMatchObject({
      message: {
        content: [],
        stop_reason: null,
        usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 7 },
      },
    });
    expect(events[4]).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 },
    });
  });

  it('sends tool input as JSON text, in pieces when asked for', async () => {
    const input = { file_path: 'a.txt' };
    const api = await start([toolReply({ name: 'Read', input }, { chunkLength: 5 })]);

    const events = await streamed(api);

    expect(events[1]).toMatchObject({
      content_block: { type: 'tool_use', name: 'Read', input: {}, id: 'toolu_0000m0001b0' },
    });
    const pieces = events
      .filter((event) => event.type === 'content_block_delta')
      .map(({ delta }) => (delta as { partial_json: string }).partial_json);
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(pieces.join(''))).toEqual(input);
  });

  it('loses its connection after the given number of events', async () => {
    const api = await start([cutStream(textReply('Hi'), 3)]);
    const response = await ask(api, { stream: true });

    let received = '';
    const readAll = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) received += decoder.decode(chunk);
    };

    await expect(readAll()).rejects.toThrow();
    expect(eventsOf(received)).toHaveLength(3);
    expect(api.requests[0]?.answer).toEqual({ source: 'script', status: 200, outcome: 'cut' });
  });

  it('can end in an error event', async () => {
    const breaksOff = { how: 'error', afterEvents: 1, message: 'Too much' } as const;
    const api = await start([textReply('Hi', { breaksOff })]);

    const events = await streamed(api);

    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Too much' },
    });
    expect(events).toHaveLength(2);
  });

  it('can stay silent after the headers, until the API is closed', async () => {
    const api = await start([silence()]);
    const response = await ask(api, { stream: true });

    expect(response.status).toBe(200);
    const body = response.text();
    await Promise.all([expect(body).rejects.toThrow(), api.close()]);
    expect(api.requests[0]?.answer.outcome).toBe('api-closed');
  });
});

describe('an error reply', () => {
  it('has status, headers and the error object', async () => {
    const headers = { 'retry-after': '7', 'anthropic-ratelimit-unified-reset': '1800000000' };
    const api = await start([apiError(429, 'rate_limit_error', 'Slow down', { headers })]);

    const response = await ask(api);

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('anthropic-ratelimit-unified-reset')).toBe('1800000000');
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down' },
    });
  });

  it.each([
    ['<html>Bad gateway</html>', 'text/html', '<html>Bad gateway</html>'],
    [{ odd: true }, 'application/json', '{"odd":true}'],
  ])('sends the body %j instead', async (body, contentType, text) => {
    const api = await start([apiError(502, 'api_error', 'x', { body })]);

    const response = await ask(api);

    expect(response.headers.get('content-type')).toBe(contentType);
    expect(await response.text()).toBe(text);
  });

  it('that cannot be sent breaks the connection and is reported', async () => {
    const api = await start([apiError(500, 'api_error', 'x', { headers: { 'bad name': '1' } })]);

    await expect(ask(api)).rejects.toThrow();
    expect(() => api.assertDone()).toThrow('the reply to request 0 cannot be sent');
  });
});

describe('time', () => {
  it('passes before the headers and between events', async () => {
    const api = await start([textReply('Hi', { delayMs: 60, eventDelayMs: 20 })]);
    const before = performance.now();

    await streamed(api);

    expect(performance.now() - before).toBeGreaterThanOrEqual(60 + 5 * 20 - 10);
  });

  it('stands still at a hold before the headers, also for an error', async () => {
    const api = await start([hold('gate', apiError(529, 'overloaded_error', 'Overloaded'))]);
    let status = 0;
    const answer = ask(api).then((response) => (status = response.status));

    await api.waitForHold('gate');
    expect(api.requests[0]?.answer).toMatchObject({ status: 0, outcome: 'pending' });
    expect(status).toBe(0);
    api.release('gate');

    await answer;
    expect(status).toBe(529);
  });

  it('passes a hold that was released before', async () => {
    const api = await start([hold('gate', textReply('Hi'), { afterEvents: 6 })]);
    api.release('gate');

    expect(await streamed(api)).toHaveLength(6);
  });

  it('frees a hold whose client went away', async () => {
    const api = await start([hold('gate', textReply('Hi'))]);
    const controller = new AbortController();
    const answer = ask(api, { signal: controller.signal });

    await api.waitForHold('gate');
    controller.abort();

    await expect(answer).rejects.toThrow();
    const request = await api.waitForRequest(({ answer: { outcome } }) => outcome !== 'pending');
    expect(request.answer.outcome).toBe('client-gone');
    await expect(api.waitForHold('gate', { timeoutMs: 1 })).rejects.toThrow('hold "gate"');
  });
});

describe('the script', () => {
  it('is taken in order of arrival, and has to be used up', async () => {
    const api = await start(['one', 'two', 'three']);

    expect(await (await ask(api)).text()).toContain('one');
    expect(await (await ask(api)).text()).toContain('two');

    expect(() => api.assertDone()).toThrow('1 of 3 replies of "main" were not used');
  });

  it('answers 403 without a retry when it holds nothing more', async () => {
    const api = await start([]);

    const response = await ask(api);

    expect(response.status).toBe(403);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(api.requests[0]?.answer.source).toBe('mismatch');
    const error = catchError(() => api.assertDone());
    expect(FlowerError.is(error) && error.code).toBe('script-mismatch');
    expect(String(error)).toContain(
      'the list "main" holds no reply for request 0 (main), which ends in "Hello"',
    );
  });

  it('keeps subagents apart by a text of their system prompt or task', async () => {
    const api = await start({
      main: ['main says'],
      subagents: { 'You test.': ['by system'], 'Task B': ['by task'], '*': ['by star'] },
    });
    const asAgent = async (system: string, content: string): Promise<string> => {
      const headers = { 'x-claude-code-agent-id': 'a1', 'x-claude-code-session-id': 's1' };
      const messages = [{ role: 'user', content }];
      return (await ask(api, { headers, system, messages })).text();
    };

    expect(await asAgent('Else.', 'Do Task B now')).toContain('by task');
    expect(await asAgent('You test.', 'Task B')).toContain('by system');
    expect(await asAgent('Else.', 'Task C')).toContain('by star');
    expect(await (await ask(api)).text()).toContain('main says');
    expect(api.requests[0]).toMatchObject({ kind: 'subagent', agentId: 'a1', sessionId: 's1' });
    api.assertDone();
  });

  it('says that a subagent is in no list', async () => {
    const api = await start({ main: [] });

    const response = await ask(api, { headers: { 'x-claude-code-agent-id': 'a1' } });

    expect(response.status).toBe(403);
    expect(() => api.assertDone()).toThrow('the script holds no reply for request 0 (subagent)');
  });

  it('answers side requests neutrally, or from a list for them', async () => {
    const api = await start({ main: ['talk'], side: { probe: ['mine'] } });

    expect(await (await ask(api, { max_tokens: 1 })).text()).toContain('mine');
    expect(await (await ask(api, { max_tokens: 1 })).text()).toContain('OK');
    expect(await (await ask(api)).text()).toContain('talk');
    expect(api.requests.map(({ answer }) => answer.source)).toEqual([
      'script',
      'neutral',
      'script',
    ]);
    api.assertDone();
  });

  it('may be a function of the request', async () => {
    const api = await start(async (request, index) =>
      index < 2 ? `${index}: ${request.lastUserText}, ${request.system}` : undefined,
    );

    await ask(api, { max_tokens: 1 });
    expect(await (await ask(api)).text()).toContain('0: Hello, You test.');
    expect(await (await ask(api)).text()).toContain('1: Hello');
    api.assertDone();
    expect((await ask(api)).status).toBe(403);
    expect(() => api.assertDone()).toThrow('the script function holds no reply for request 3');
  });

  it('may not throw, nor return what is no reply', async () => {
    const wrong: unknown = { type: 'message' };
    const api = await start((_request, index) => {
      if (index === 0) throw new Error('lost the thread');
      return wrong as string;
    });

    expect((await ask(api)).status).toBe(403);
    expect((await ask(api)).status).toBe(403);
    expect(() => api.assertDone()).toThrow(/lost the thread.*the reply is not valid/s);
  });

  it('that hangs does not keep the API from closing', async () => {
    const api = await start(() => new Promise(() => undefined));
    const answer = ask(api);
    await api.waitForRequest();

    await Promise.all([expect(answer).rejects.toThrow(), api.close()]);
  });
});

describe('requests', () => {
  it('are recorded with what they ask', async () => {
    const api = await start(['Hi']);

    await ask(api, {
      tools: [
        { name: 'Read', input_schema: {} },
        { name: 'Bash', input_schema: {} },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Go' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [{ type: 'text', text: 'No' }],
              is_error: true,
            },
            { type: 'text', text: 'And?' },
          ],
        },
        { role: 'system', content: 'A note.' },
      ],
    });

    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]).toMatchObject({
      index: 0,
      method: 'POST',
      path: '/v1/messages?beta=true',
      kind: 'main',
      model: 'claude-test',
      stream: false,
      system: 'You test.',
      tools: ['Read', 'Bash'],
      lastUserText: 'And?',
      toolResults: [{ toolUseId: 't', text: 'No', isError: true }],
      sessionId: undefined,
      answer: { source: 'script', status: 200, outcome: 'complete' },
    });
  });

  it.each([
    ['HEAD', '/', undefined, 200],
    ['GET', '/api/hello', undefined, 200],
    ['POST', '/v1/messages/count_tokens?beta=true', '{"messages":[]}', 200],
    ['GET', '/v1/messages', undefined, 404],
    ['POST', '/v1/elsewhere', '{}', 404],
    ['POST', '/v1/messages', 'not json', 400],
    ['POST', '/v1/messages', '[1]', 400],
  ])('%s %s with %s gets its own answer and takes no reply', async (method, path, body, status) => {
    const api = await start(['kept']);

    const response = await fetch(`${api.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });

    expect(response.status).toBe(status);
    expect(api.requests[0]?.answer).toEqual({ source: 'built-in', status, outcome: 'complete' });
    if (status >= 400) expect(await response.json()).toMatchObject({ type: 'error' });
    expect(() => api.assertDone()).toThrow('1 of 1');
  });

  it('over 64 MiB are not kept', async () => {
    const api = await start(['kept']);

    const response = await fetch(`${api.url}/v1/messages`, {
      method: 'POST',
      body: Buffer.alloc(maxBodyBytes + 1, ' '),
    });

    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } });
    expect(api.requests[0]?.body).toBeUndefined();
  });

  it('count tokens by their length', async () => {
    const api = await start([]);

    const response = await fetch(`${api.url}/v1/messages/count_tokens`, {
      method: 'POST',
      body: JSON.stringify({ text: 'x'.repeat(400) }),
    });

    expect(await response.json()).toEqual({ input_tokens: Math.ceil(411 / 4) });
  });

  it('are waited for, before and after they came', async () => {
    const api = await start(['one', 'two']);
    const second = api.waitForRequest(({ index }) => index === 1);
    await ask(api);
    await ask(api);

    expect((await second).index).toBe(1);
    expect((await api.waitForRequest()).index).toBe(0);
    await expect(api.waitForRequest(() => false, { timeoutMs: 1 })).rejects.toThrow(
      'no request of the expected kind came within 1 ms; 2 others came.',
    );
  });
});

describe('the server', () => {
  it('refuses connections, cuts the open ones, and listens on the same port again', async () => {
    const api = await start([hold('never', textReply('lost')), 'back']);
    const { url } = api;
    const open = ask(api);
    await api.waitForHold('never');

    await Promise.all([expect(open).rejects.toThrow(), api.refuse()]);
    await expect(ask(api)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await api.refuse();
    await api.accept();
    await api.accept();

    expect(api.url).toBe(url);
    expect(await (await ask(api)).text()).toContain('back');
    expect(api.requests.map(({ answer }) => answer.outcome)).toEqual(['api-closed', 'complete']);
  });

  it('ends waits and stays closed', async () => {
    const api = await start([]);
    const waiting = api.waitForRequest();

    await Promise.all([expect(waiting).rejects.toThrow('it was closed.'), api.close()]);
    await api.close();
    await api.accept();

    await expect(ask(api)).rejects.toThrow();
  });

  it('listens on the port that is asked for', async () => {
    const first = await start([]);
    await first.close();

    const second = await startScriptedApi({ script: ['Hi'], port: first.port });
    opened.push(second);

    expect(second.url).toBe(first.url);
    await expect(startScriptedApi({ script: [], port: first.port })).rejects.toThrow('EADDRINUSE');
  });

  it('tells a child where it is, past any proxy', async () => {
    const api = await start([]);

    expect(api.env()).toMatchObject({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${api.port}`,
      ANTHROPIC_API_KEY: expect.any(String),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      NO_PROXY: expect.stringContaining('127.0.0.1'),
    });
  });
});

function catchError(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
