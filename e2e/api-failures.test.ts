import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentSpec, FlowerEvent, StepResult } from '../src/index.ts';
import { Runtime, Workflow } from '../src/index.ts';
import {
  apiError,
  conversationText,
  createTestHome,
  cutStream,
  type Script,
  type ScriptedApi,
  silence,
  startScriptedApi,
  structuredReply,
  type TestHome,
  textReply,
  toolReply,
} from '../src/testing/index.ts';

const reader: AgentSpec = { name: 'reader', allowedTools: ['Read'] };
const quick = { baseDelayMs: 5, maxDelayMs: 20, probeIntervalMs: 20, probeTimeoutMs: 1_000 };
const errorWords = /overloaded|rate limit|API Error|ECONNREFUSED|mid-response|interrupted by user/i;

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Scene {
  readonly api: ScriptedApi;
  readonly home: TestHome;
  readonly runtime: Runtime;
  readonly events: FlowerEvent[];
}

async function setScene(
  script: Script,
  options: { readonly env?: Record<string, string>; readonly silentMs?: number } = {},
): Promise<Scene> {
  const api = await startScriptedApi({ script });
  cleanups.push(() => api.close());
  const home = await createTestHome({ api, files: { 'seed.txt': 'tulip' } });
  cleanups.push(() => home.dispose());
  const events: FlowerEvent[] = [];
  const runtime = new Runtime({
    workspace: home.workspace,
    runDir: `${home.path}/runs`,
    // The binary's own retries are turned down: flower's are what is looked at.
    env: { ...home.env, CLAUDE_CODE_MAX_RETRIES: '0', ...options.env },
    resilience: quick,
    onEvent: (event) => events.push(event),
    ...(options.silentMs === undefined ? {} : { silentMs: options.silentMs }),
  });
  cleanups.push(() => runtime.close());
  return { api, home, runtime, events };
}

function noErrorText(api: ScriptedApi): void {
  for (const request of api.requests) {
    expect(conversationText(request)).not.toMatch(errorWords);
  }
}

const overloaded = apiError(529, 'overloaded_error', 'Overloaded');
const limited = apiError(429, 'rate_limit_error', 'Number of requests has exceeded', {
  headers: { 'retry-after': '0' },
});

describe('an API that fails and recovers', () => {
  it.each<[string, Script, RegExp]>([
    ['529', [overloaded, 'tulip'], /529|overloaded/i],
    ['429 with retry-after', [limited, 'tulip'], /429/],
    [
      'a stream cut in the middle',
      // The binary itself asks once more, without streaming, before it gives up.
      [cutStream(textReply('tu'), 3), cutStream(textReply('tu'), 3), 'tulip'],
      /connection|mid-response|stream/i,
    ],
  ])('ends ok after %s, and no request holds an error text', async (_name, script, message) => {
    const { api, runtime } = await setScene(script);
    const result = await runtime.run(reader, 'Which flower is in seed.txt?');
    expect(result).toMatchObject({ ok: true, text: 'tulip', attempts: 2, error: null });
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toMatch(message);
    noErrorText(api);
    api.assertDone();
  });

  it('waits out refused connections and goes on in the same session', async () => {
    const { api, runtime, events } = await setScene([
      toolReply({ name: 'Read', input: { file_path: 'seed.txt' } }),
      'tulip',
    ]);
    let isOut = false;
    const result = await runtime.run(reader, 'Which flower is in seed.txt?', {
      onEvent: (event) => {
        if (event.type === 'tool-call' && !isOut) {
          isOut = true;
          void api.refuse();
        }
        if (event.type === 'wait-start') void api.accept();
      },
    });
    expect(result).toMatchObject({ ok: true, text: 'tulip', resumed: true });
    expect(result.attempts).toBeGreaterThanOrEqual(2);
    expect(events.map((event) => event.type)).toContain('wait-end');
    expect(new Set(api.requests.map((request) => request.sessionId)).size).toBe(1);
    noErrorText(api);
  });

  it('keeps what was done before the failure, and does it once', async () => {
    const { api, runtime, home } = await setScene([
      toolReply({ name: 'Bash', input: { command: 'echo x >> count.txt' } }),
      overloaded,
      'done',
    ]);
    const worker: AgentSpec = { name: 'worker', allowedTools: ['Bash'] };
    const result = await runtime.run(worker, 'Count once.');
    expect(result).toMatchObject({ ok: true, text: 'done', attempts: 2 });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(`${home.workspace}/count.txt`, 'utf8')).toBe('x\n');
    const last = api.requests.at(-1);
    expect(last?.toolResults).toHaveLength(1);
    noErrorText(api);
  });
});

describe('an API that refuses', () => {
  it('stops at once on 401, with one line and one request', async () => {
    const { api, runtime } = await setScene(
      [apiError(401, 'authentication_error', 'invalid x-api-key')],
      { env: { CLAUDE_CODE_MAX_RETRIES: '10' } },
    );
    const result = await runtime.run(reader, 'Hello.');
    expect(result).toMatchObject({ ok: false, failure: 'fatal', attempts: 1 });
    expect(result.error?.split('\n')).toHaveLength(1);
    expect(api.requests.filter((request) => request.kind === 'main')).toHaveLength(1);
  });

  it('gives up after the last attempt and keeps the session for the next run', async () => {
    const { runtime } = await setScene(() => overloaded);
    const result = await runtime.run(reader, 'Hello.');
    expect(result).toMatchObject({ ok: false, failure: 'transient', attempts: 6 });
    expect(result.errors).toHaveLength(6);
    expect(await runtime.hasSession(result.sessionId ?? '')).toBe(true);
  });
});

describe('a stream that dies silently', () => {
  it('is cut by the watchdog and tried again', async () => {
    const { runtime } = await setScene([silence(), 'tulip'], { silentMs: 1_500 });
    const result = await runtime.run(reader, 'Which flower?');
    expect(result).toMatchObject({ ok: true, text: 'tulip', attempts: 2 });
    expect(result.errors[0]).toMatch(/stalled/);
  });

  it('is told from a long tool, which is left alone', async () => {
    const { runtime } = await setScene(
      [toolReply({ name: 'Bash', input: { command: 'sleep 3; echo slept' } }), 'rested'],
      { silentMs: 1_500 },
    );
    const worker: AgentSpec = { name: 'worker', allowedTools: ['Bash'] };
    const result = await runtime.run(worker, 'Sleep.');
    expect(result).toMatchObject({ ok: true, text: 'rested', attempts: 1 });
  });
});

describe('what a step costs', () => {
  it('is the usage of the API, also when its session is resumed', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    const { runtime } = await setScene([
      textReply('one', { usage }),
      textReply('two', { usage }),
      textReply('three', { usage }),
    ]);
    const first = await runtime.run(reader, 'One.');
    const again = (session: StepResult): Promise<StepResult> =>
      runtime.run(reader, 'More.', { resume: session.sessionId ?? '' });
    const second = await again(first);
    const third = await again(second);
    expect(first.costUsd).toBeGreaterThan(0);
    expect(second.costUsd).toBeCloseTo(first.costUsd, 9);
    expect(third.costUsd).toBeCloseTo(first.costUsd, 9);
    expect(third.tokens).toMatchObject({ inputTokens: 1_000, outputTokens: 100 });
    expect(runtime.totalCost()).toBeCloseTo(3 * first.costUsd, 4);
  });
});

describe('a structured answer', () => {
  it('is a typed value in ctx', async () => {
    const { runtime } = await setScene([structuredReply({ words: 3 }), 'three']);
    const flow = Workflow.of('count')
      .step('count', reader, 'Count the words.', { schema: z.object({ words: z.number() }) })
      .step('say', reader, (ctx) => `Say ${ctx.count.words + 1}.`);
    const ctx = await flow.run(runtime);
    expect(ctx.count).toEqual({ words: 3 });
    expect(ctx.say).toBe('three');
    expect(ctx._results['count']?.output).toEqual({ words: 3 });
  });
});

describe('a tool that the step does not allow', () => {
  it('is shown as denied, with step and tool, and changes nothing', async () => {
    const { runtime, events } = await setScene([
      toolReply({ name: 'Bash', input: { command: 'touch /tmp/never && rm -rf seed.txt' } }),
      'understood',
    ]);
    const narrow: AgentSpec = { name: 'narrow', allowedTools: ['Bash(git status *)'] };
    const result = await runtime.run(narrow, 'Clean up.', { stepName: 'clean' });
    expect(result.ok).toBe(true);
    const denied = events.filter((event) => event.type === 'tool-result' && event.denied === true);
    expect(denied).toMatchObject([{ step: 'clean', tool: 'Bash', ok: false }]);
  });
});
