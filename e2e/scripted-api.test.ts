import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  query,
  type Options,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import { afterEach, describe, expect, it } from 'vitest';

import {
  apiError,
  createTestHome,
  cutStream,
  hold,
  startScriptedApi,
  structuredReply,
  textReply,
  thinkingReply,
  toolReply,
  type Script,
  type ScriptedApi,
  type TestHome,
} from '../src/testing/index.ts';

const opened: AsyncDisposable[] = [];

afterEach(async () => {
  for (const resource of opened.splice(0).toReversed()) await resource[Symbol.asyncDispose]();
});

interface Stage {
  readonly api: ScriptedApi;
  readonly home: TestHome;
}

async function stage(script: Script, files: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const api = await startScriptedApi({ script });
  opened.push(api);
  const home = await createTestHome({ api, files });
  opened.push(home);
  return { api, home };
}

interface Outcome {
  readonly result: SDKResultMessage | undefined;
  readonly messages: readonly SDKMessage[];
  readonly thrown: string | undefined;
}

interface RunOptions extends Options {
  readonly prompt?: string | AsyncIterable<SDKUserMessage>;
  readonly onMessage?: (message: SDKMessage) => Promise<void>;
}

/** Runs one query to its end; bounded, so that a hanging binary fails the test. */
async function run({ home }: Stage, changes: RunOptions = {}): Promise<Outcome> {
  const { prompt = 'Do the task.', onMessage, env, ...options } = changes;
  const abortController = new AbortController();
  const timer = setTimeout(() => abortController.abort(), 40_000);
  const messages: SDKMessage[] = [];
  let thrown: string | undefined;
  try {
    const fixed = {
      cwd: home.workspace,
      settingSources: [],
      skills: [],
      tools: ['Read', 'Write', 'Bash'],
      env: { ...home.env, CLAUDE_CODE_MAX_RETRIES: '1', ...env },
      abortController,
    };
    for await (const message of query({ prompt, options: { ...fixed, ...options } })) {
      messages.push(message);
      await onMessage?.(message);
    }
  } catch (error) {
    thrown = String(error);
  } finally {
    clearTimeout(timer);
  }
  return { messages, thrown, result: messages.findLast((message) => message.type === 'result') };
}

function resultText({ result }: Outcome): string | undefined {
  return result?.subtype === 'success' ? result.result : undefined;
}

function retries({ messages }: Outcome): readonly (number | null)[] {
  return messages.flatMap((message) =>
    message.type === 'system' && message.subtype === 'api_retry' ? [message.error_status] : [],
  );
}

describe('Claude Code against the scripted API', () => {
  it('gives a text answer after one request of its own', async () => {
    const on = await stage(['Hello from the script.']);

    const outcome = await run(on);

    expect(resultText(outcome)).toBe('Hello from the script.');
    expect(on.api.requests.map((request) => request.kind)).toEqual(['main']);
    expect(on.api.requests[0]?.lastUserText).toContain('Do the task.');
    expect(on.api.requests[0]?.sessionId).toBe(outcome.result?.session_id);
    on.api.assertDone();
  });

  it('counts the scripted usage', async () => {
    const usage = { inputTokens: 7, outputTokens: 11, cacheReadTokens: 13, cacheWriteTokens: 17 };
    const on = await stage([thinkingReply('Let me see.', 'Seen.', { usage })]);

    const outcome = await run(on);

    expect(outcome.result?.usage).toMatchObject({
      input_tokens: 7,
      output_tokens: 11,
      cache_read_input_tokens: 13,
      cache_creation_input_tokens: 17,
    });
    const thoughts = outcome.messages.flatMap((message) =>
      message.type === 'assistant' ? message.message.content.map((block) => block.type) : [],
    );
    expect(thoughts).toEqual(['thinking', 'text']);
  });

  it('runs the scripted tools in the workspace and sends their results back', async () => {
    const on = await stage(
      (request, index) => {
        if (index === 0) {
          return toolReply([
            { name: 'Read', input: { file_path: join(on.home.workspace, 'note.txt') } },
            { name: 'Bash', input: { command: 'echo beta > made.txt', description: 'Make it' } },
          ]);
        }
        return index === 1 ? `Read ${request.toolResults.length} results.` : undefined;
      },
      { 'note.txt': 'alpha\n' },
    );

    const outcome = await run(on, { allowedTools: ['Read', 'Bash'] });

    expect(resultText(outcome)).toBe('Read 2 results.');
    expect(on.api.requests[1]?.toolResults[0]).toMatchObject({
      toolUseId: 'toolu_0000m0002b0',
      text: expect.stringContaining('alpha'),
      isError: false,
    });
    expect(await readFile(join(on.home.workspace, 'made.txt'), 'utf8')).toBe('beta\n');
    on.api.assertDone();
  });

  it('tries again after 529 and after 429 with retry-after', async () => {
    const on = await stage([
      apiError(529, 'overloaded_error', 'Overloaded'),
      apiError(429, 'rate_limit_error', 'Slow down', { headers: { 'retry-after': '1' } }),
      'Third time lucky.',
    ]);

    const outcome = await run(on, { env: { CLAUDE_CODE_MAX_RETRIES: '2' } });

    expect(resultText(outcome)).toBe('Third time lucky.');
    expect(retries(outcome)).toEqual([529, 429]);
    const [, second, third] = on.api.requests;
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    on.api.assertDone();
  });

  it('goes on after a cut stream', async () => {
    const on = await stage([cutStream(textReply('Half a sen'), 3), 'The whole sentence.']);

    const outcome = await run(on);

    expect(resultText(outcome)).toBe('The whole sentence.');
    expect(on.api.requests.map((request) => request.answer.outcome)).toEqual(['cut', 'complete']);
    on.api.assertDone();
  });

  it('goes on after refused connections', async () => {
    const on = await stage(['Back again.']);
    await on.api.refuse();

    const outcome = await run(on, {
      onMessage: async (message) => {
        if (message.type === 'system' && message.subtype === 'api_retry') await on.api.accept();
      },
    });

    expect(resultText(outcome)).toBe('Back again.');
    expect(retries(outcome)).toEqual([null]);
    expect(on.api.requests).toHaveLength(1);
    on.api.assertDone();
  });

  it('waits at a hold until the test releases it', async () => {
    const on = await stage([hold('go', textReply('Released.'), { afterEvents: 2 })]);

    const running = run(on);
    await on.api.waitForHold('go');
    expect(on.api.requests[0]?.answer).toMatchObject({ status: 200, outcome: 'pending' });
    on.api.release('go');

    expect(resultText(await running)).toBe('Released.');
    on.api.assertDone();
  });

  it('ends at 401 without a result text of the model', async () => {
    const on = await stage([apiError(401, 'authentication_error', 'invalid x-api-key')]);

    const outcome = await run(on, { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });

    expect(outcome.result).toMatchObject({ is_error: true, api_error_status: 401 });
    expect(outcome.thrown).toContain('Invalid API key');
    on.api.assertDone();
  });

  it('says in the result that the script holds no reply, after a single request', async () => {
    const on = await stage([]);

    const outcome = await run(on, { env: { CLAUDE_CODE_MAX_RETRIES: '3' } });

    expect(resultText(outcome)).toContain('the list "main" holds no reply');
    expect(on.api.requests).toHaveLength(1);
    expect(() => on.api.assertDone()).toThrow('holds no reply for request 0');
  });

  it('takes structured output without another request, after a wrong try', async () => {
    const on = await stage([structuredReply({ answer: 'x' }), structuredReply({ answer: 42 })]);
    const schema = {
      type: 'object',
      properties: { answer: { type: 'number' } },
      required: ['answer'],
    };

    const outcome = await run(on, { outputFormat: { type: 'json_schema', schema } });

    expect(outcome.result).toMatchObject({ structured_output: { answer: 42 } });
    expect(on.api.requests.map((request) => request.tools)).toEqual([
      expect.arrayContaining(['StructuredOutput']),
      expect.arrayContaining(['StructuredOutput']),
    ]);
    expect(on.api.requests[1]?.toolResults[0]).toMatchObject({
      text: 'Output does not match required schema: /answer: must be number',
      isError: true,
    });
    on.api.assertDone();
  });

  it('plays a subagent from a list of its own', async () => {
    const call = { description: 'Dig', prompt: 'Dig here.', subagent_type: 'digger' };
    const on = await stage({
      main: [toolReply({ name: 'Agent', input: call }), 'The digger is done.'],
      subagents: { 'You dig.': ['A bone.'] },
    });

    const outcome = await run(on, {
      tools: ['Agent', 'Read'],
      allowedTools: ['Agent'],
      agents: { digger: { description: 'Digs', prompt: 'You dig.', tools: ['Read'] } },
      env: {
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
      },
    });

    expect(resultText(outcome)).toBe('The digger is done.');
    expect(on.api.requests.map((request) => request.kind)).toEqual(['main', 'subagent', 'main']);
    expect(on.api.requests[1]?.agentId).toMatch(/^[0-9a-z]+$/);
    expect(on.api.requests[2]?.toolResults[0]?.text).toContain('A bone.');
    on.api.assertDone();
  });

  it('takes no reply for what Claude Code asks beside the conversation', async () => {
    const on = await stage(['First.', 'Second.']);
    let advance = (): void => undefined;
    const answered = (): Promise<void> => new Promise((resolve) => (advance = resolve));
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      for (const content of ['One.', '/compact', 'Two.']) {
        yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
        await answered();
      }
    }

    const outcome = await run(on, {
      prompt: prompts(),
      settings: { hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it so?' }] }] } },
      onMessage: async (message) => {
        if (message.type === 'result') advance();
      },
    });

    expect(resultText(outcome)).toBe('Second.');
    expect(on.api.requests.map((request) => request.kind)).toEqual([
      'main',
      'form',
      'compaction',
      'main',
      'form',
    ]);
    on.api.assertDone();
  });
});
