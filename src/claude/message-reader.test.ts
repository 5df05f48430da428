import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { classify } from '../resilience/classify.ts';
import type { SegmentMessage } from './engine.ts';
import { MessageReader } from './message-reader.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A message as Claude Code prints it; the SDK hands its JSON on unchecked. */
function sdk(fields: Fields): SDKMessage {
  const text = JSON.stringify({ uuid: 'u', session_id: 's', parent_tool_use_id: null, ...fields });
  return JSON.parse(text);
}

function assistant(
  content: readonly Fields[],
  fields: Fields = {},
  message: Fields = {},
): SDKMessage {
  const body = { id: 'msg_1', role: 'assistant', model: 'claude-sonnet-4-5', content, ...message };
  return sdk({ type: 'assistant', message: body, ...fields });
}

function user(content: unknown, fields: Fields = {}): SDKMessage {
  return sdk({ type: 'user', message: { role: 'user', content }, ...fields });
}

function toolResult(id: string, content: unknown, fields: Fields = {}): SDKMessage {
  return user([{ type: 'tool_result', tool_use_id: id, content, ...fields }]);
}

function system(subtype: string, fields: Fields = {}): SDKMessage {
  return sdk({ type: 'system', subtype, ...fields });
}

function result(fields: Fields): SDKMessage {
  return sdk({
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    result: 'done',
    total_cost_usd: 0.25,
    modelUsage: {},
    errors: [],
    ...fields,
  });
}

const bash = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
const synthetic = (text: string, error?: string): SDKMessage =>
  assistant([{ type: 'text', text }], error === undefined ? {} : { error }, {
    model: '<synthetic>',
  });

/** What the last of some messages is translated to, without the sign of life. */
function translate(...messages: SDKMessage[]): SegmentMessage[] {
  const reader = new MessageReader();
  let last: SegmentMessage[] = [];
  for (const message of messages) last = reader.read(message);
  return last.filter(({ kind }) => kind !== 'activity');
}

function readAll(...messages: SDKMessage[]): MessageReader {
  const reader = new MessageReader();
  for (const message of messages) reader.read(message);
  return reader;
}

describe('events', () => {
  const subagent = { parent_tool_use_id: 'toolu_9', agent_id: 'a1', subagent_type: 'worker' };
  it.each<[string, SDKMessage[], unknown[]]>([
    ['text', [assistant([{ type: 'text', text: 'Hi.' }])], [{ type: 'text', text: 'Hi.' }]],
    ['empty text is nothing', [assistant([{ type: 'text', text: '' }])], []],
    [
      'thinking',
      [assistant([{ type: 'thinking', thinking: 'Hm.', signature: 'x' }])],
      [{ type: 'thinking', text: 'Hm.' }],
    ],
    [
      'thinking that is hidden is nothing',
      [assistant([{ type: 'thinking', thinking: '', signature: 'x' }])],
      [],
    ],
    [
      'a tool call',
      [assistant([bash])],
      [{ type: 'tool-call', id: 'toolu_1', tool: 'Bash', summary: 'ls', input: { command: 'ls' } }],
    ],
    ['a prompt of a string', [user('Go.')], [{ type: 'prompt', text: 'Go.' }]],
    [
      'a prompt of blocks',
      [user([{ type: 'text', text: 'Go.' }])],
      [{ type: 'prompt', text: 'Go.' }],
    ],
    [
      'a tool result, with the name of its call',
      [assistant([bash]), toolResult('toolu_1', 'a.txt')],
      [{ type: 'tool-result', id: 'toolu_1', tool: 'Bash', ok: true, text: 'a.txt' }],
    ],
    [
      'a failed tool result is not denied',
      [assistant([bash]), toolResult('toolu_1', 'Exit code 1', { is_error: true })],
      [{ type: 'tool-result', id: 'toolu_1', tool: 'Bash', ok: false, text: 'Exit code 1' }],
    ],
    [
      'a result of an unknown call',
      [
        toolResult('toolu_7', [
          { type: 'text', text: 'x' },
          { type: 'image', source: {} },
        ]),
      ],
      [{ type: 'tool-result', id: 'toolu_7', tool: '', ok: true, text: 'x\n[image]' }],
    ],
    [
      'a call that was refused by permission_denied',
      [
        assistant([bash]),
        system('permission_denied', { tool_name: 'Bash', tool_use_id: 'toolu_1', message: 'no' }),
        toolResult('toolu_1', 'my own words', { is_error: true }),
      ],
      [
        {
          type: 'tool-result',
          id: 'toolu_1',
          tool: 'Bash',
          ok: false,
          text: 'my own words',
          denied: true,
        },
      ],
    ],
    [
      'a call that a hook refused',
      [
        assistant([bash]),
        toolResult('toolu_1', 'PreToolUse:Bash hook error: not here', { is_error: true }),
      ],
      [
        {
          type: 'tool-result',
          id: 'toolu_1',
          tool: 'Bash',
          ok: false,
          text: 'PreToolUse:Bash hook error: not here',
          denied: true,
        },
      ],
    ],
    [
      'output that only quotes a refusal is none',
      [assistant([bash]), toolResult('toolu_1', 'PreToolUse:Bash hook error: not here')],
      [
        {
          type: 'tool-result',
          id: 'toolu_1',
          tool: 'Bash',
          ok: true,
          text: 'PreToolUse:Bash hook error: not here',
        },
      ],
    ],
    [
      'a subagent speaks as itself',
      [assistant([{ type: 'text', text: 'Mine.' }], subagent)],
      [{ type: 'text', text: 'Mine.', subagent: { id: 'a1', type: 'worker' } }],
    ],
    [
      'a subagent without an id goes by its call',
      [assistant([{ type: 'text', text: 'Mine.' }], { parent_tool_use_id: 'toolu_9' })],
      [{ type: 'text', text: 'Mine.', subagent: { id: 'toolu_9' } }],
    ],
    [
      'a compaction',
      [
        system('compact_boundary', {
          compact_metadata: { trigger: 'auto', pre_tokens: 150_000, post_tokens: 20_000 },
        }),
      ],
      [{ type: 'reset', trigger: 'auto', preTokens: 150_000, postTokens: 20_000 }],
    ],
    ['an API error is never text', [synthetic('API Error: 529', 'server_error')], []],
    ['a placeholder is never text', [synthetic('No response requested.')], []],
    ['an unknown type is nothing', [sdk({ type: 'tomorrow' })], []],
    ['an unknown subtype is nothing', [system('tomorrow')], []],
  ])('%s', (_, messages, events) => {
    expect(translate(...messages).map((it) => it.kind === 'event' && it.event)).toEqual(events);
  });

  it('cuts long results and long arguments', () => {
    const long = 'x'.repeat(1000);
    const call = { ...bash, input: { command: long } };
    const events = [...translate(assistant([call])), ...translate(toolResult('toolu_1', long))];
    expect(events.map((it) => it.kind === 'event' && it.event)).toMatchObject([
      { summary: 'x'.repeat(200), input: { command: long } },
      { text: 'x'.repeat(500) },
    ]);
  });

  it('says version and model at the start', () => {
    expect(translate(system('init', { claude_code_version: '2.1.332', model: 'm' }))).toEqual([
      { kind: 'init', binaryVersion: '2.1.332', model: 'm' },
    ]);
  });
});

describe('alarms', () => {
  it.each<[string, SDKMessage, boolean]>([
    ['mirror_error', system('mirror_error', { error: 'disk full', key: {} }), true],
    [
      'lost transcript rows',
      system('session_writes_lost', { error_code: 'ENOSPC', lost: ['transcript'] }),
      true,
    ],
    [
      'lost configuration',
      system('session_writes_lost', { error_code: 'ENOSPC', lost: ['global_config'] }),
      false,
    ],
  ])('%s', (_, message, isLoss) => {
    expect(readAll(message).hasLostRows).toBe(isLoss);
    expect(translate(message)).toHaveLength(isLoss ? 1 : 0);
  });
});

describe('result', () => {
  it('a success has cost, turns, structured answer and model usage', () => {
    const usage = {
      inputTokens: 1,
      outputTokens: 2,
      cacheReadInputTokens: 3,
      cacheCreationInputTokens: 4,
      costUSD: 0.25,
    };
    const reader = readAll(
      result({ num_turns: 3, structured_output: { a: 1 }, modelUsage: { m: usage } }),
    );
    expect(reader.result).toEqual({
      ok: true,
      costUsd: 0.25,
      numTurns: 3,
      structuredOutput: { a: 1 },
      modelUsage: {
        m: {
          inputTokens: 1,
          outputTokens: 2,
          cacheReadTokens: 3,
          cacheWriteTokens: 4,
          costUsd: 0.25,
        },
      },
    });
  });

  it('the last result of several counts', () => {
    expect(readAll(result({ num_turns: 1 }), result({ num_turns: 5 })).result?.numTurns).toBe(5);
  });

  it.each<[string, SDKMessage[], unknown, string]>([
    [
      'a success that is an error: the API failed',
      [
        synthetic('API Error: 529 overloaded', 'server_error'),
        result({
          is_error: true,
          result: 'API Error: 529 overloaded',
          terminal_reason: 'api_error',
          api_error_status: 529,
        }),
      ],
      {
        error: 'server_error',
        message: 'API Error: 529 overloaded',
        resultSubtype: 'success',
        apiErrorStatus: 529,
        terminalReason: 'api_error',
      },
      'transient',
    ],
    [
      'refused credentials',
      [
        synthetic('Invalid API key', 'authentication_failed'),
        result({ is_error: true, result: 'Invalid API key', api_error_status: 401 }),
      ],
      {
        error: 'authentication_failed',
        message: 'Invalid API key',
        resultSubtype: 'success',
        apiErrorStatus: 401,
      },
      'fatal',
    ],
    [
      'the turn cap',
      [result({ subtype: 'error_max_turns', is_error: true, errors: ['too many turns'] })],
      { resultSubtype: 'error_max_turns', message: 'too many turns' },
      'fatal',
    ],
    [
      'the budget, without words',
      [
        result({
          subtype: 'error_max_budget_usd',
          is_error: true,
          terminal_reason: 'budget_exhausted',
        }),
      ],
      {
        message: 'error_max_budget_usd',
        resultSubtype: 'error_max_budget_usd',
        terminalReason: 'budget_exhausted',
      },
      'fatal',
    ],
    [
      'a limit with its reset',
      [
        sdk({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 99 } }),
        synthetic('You have hit your limit', 'rate_limit'),
        result({ is_error: true, result: 'You have hit your limit', api_error_status: 429 }),
      ],
      {
        error: 'rate_limit',
        message: 'You have hit your limit',
        resultSubtype: 'success',
        apiErrorStatus: 429,
        limitResetsAt: 99,
      },
      'limited',
    ],
    [
      'a warning about a limit is none',
      [
        sdk({
          type: 'rate_limit_event',
          rate_limit_info: { status: 'allowed_warning', resetsAt: 99 },
        }),
        result({ is_error: true, result: 'API Error: 529', api_error_status: 529 }),
      ],
      { message: 'API Error: 529', resultSubtype: 'success', apiErrorStatus: 529 },
      'transient',
    ],
    [
      'a context that is too long',
      [
        result({
          is_error: true,
          result: 'Prompt is too long',
          terminal_reason: 'prompt_too_long',
        }),
      ],
      {
        message: 'Prompt is too long',
        resultSubtype: 'success',
        terminalReason: 'prompt_too_long',
      },
      'overflow',
    ],
    [
      'an error before an answer is not the cause of what follows',
      [
        synthetic('API Error: 529', 'server_error'),
        assistant([{ type: 'text', text: 'Back again.' }]),
        result({ subtype: 'error_during_execution', is_error: true, errors: ['odd'] }),
      ],
      { message: 'odd', resultSubtype: 'error_during_execution' },
      'unknown',
    ],
  ])('%s', (_, messages, facts, failure) => {
    const read = readAll(...messages).result;
    expect(read?.ok).toBe(false);
    expect(read?.facts).toEqual(facts);
    expect(classify(read?.facts ?? {})).toBe(failure);
  });

  it('an API error of a subagent is not the cause of the end', () => {
    const reader = readAll(
      assistant(
        [{ type: 'text', text: 'API Error' }],
        { error: 'server_error', parent_tool_use_id: 'toolu_9' },
        { model: '<synthetic>' },
      ),
    );
    expect(reader.apiError).toBeUndefined();
  });
});

describe('api_retry', () => {
  const retry = (status: number | null): SDKMessage =>
    system('api_retry', { error_status: status, retry_delay_ms: 500, error: 'unknown' });

  it.each([
    [401, true],
    [403, false],
    [529, false],
    [null, false],
  ])('status %s is a refusal: %s', (status, isRefused) => {
    const reader = readAll(retry(status));
    expect(reader.isRefused).toBe(isRefused);
    expect(reader.apiError?.apiErrorStatus).toBe(isRefused ? 401 : undefined);
    expect(translate(retry(status))).toEqual([{ kind: 'api-retry', delayMs: 500, status }]);
  });
});

describe('signs of life', () => {
  const quietAfter = (...messages: SDKMessage[]): boolean | undefined => {
    const reader = new MessageReader();
    let quiet: boolean | undefined;
    for (const message of messages) {
      for (const read of reader.read(message)) if (read.kind === 'activity') ({ quiet } = read);
    }
    return quiet;
  };
  const agentCall = { type: 'tool_use', id: 'toolu_9', name: 'Agent', input: {} };
  const inAgent = { parent_tool_use_id: 'toolu_9' };
  const retry = system('api_retry', { error_status: 529, retry_delay_ms: 500, error: 'unknown' });

  it.each<[string, SDKMessage[], boolean]>([
    ['an answer', [assistant([{ type: 'text', text: 'x' }])], true],
    ['a running tool', [assistant([bash])], false],
    ['a tool that ended', [assistant([bash]), toolResult('toolu_1', 'x')], true],
    [
      'one of two tools that ended',
      [assistant([bash, { ...bash, id: 'toolu_2' }]), toolResult('toolu_1', 'x')],
      false,
    ],
    ['a pause before a retry', [retry], false],
    ['a stream after a pause', [retry, sdk({ type: 'stream_event', event: {} })], true],
    [
      'an agent that ended in the middle of a call of its own',
      [assistant([agentCall]), assistant([bash], inAgent), toolResult('toolu_9', 'cut')],
      true,
    ],
    ['heartbeats of a tool', [assistant([bash]), sdk({ type: 'tool_progress' })], false],
  ])('quiet is expected after %s: %s', (_, messages, quiet) => {
    expect(quietAfter(...messages)).toBe(quiet);
  });
});
