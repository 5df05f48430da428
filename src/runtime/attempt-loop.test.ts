import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import { resilienceDefaults } from '../resilience/resilience-options.ts';
import { runBench } from './run-bench.test-support.ts';
import type { ScriptedSegment } from './scripted-engine.test-support.ts';
import { eventsOf, readRunFile } from './scripted-life.test-support.ts';

const bench = runBench();
const agent: AgentSpec = { name: 'agent' };
const overloaded: FailureFacts = { error: 'server_error', message: 'API Error: 529 overloaded' };
const odd: FailureFacts = { message: 'something odd' };
const { resumePrompt } = resilienceDefaults;
const id = '11111111-1111-4111-8111-111111111111';

describe('one attempt', () => {
  it('gives the prose of the main thread as text', async () => {
    const life = bench.life(bench.place(), [{ says: ['first', 'second'] }]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({
      step: 'agent',
      ok: true,
      text: 'first\nsecond',
      error: null,
      failure: null,
      attempts: 1,
      errors: [],
      resumed: false,
      retired: [],
      costUsd: 0.01,
      numTurns: 2,
      context: 1150,
      versions: { sdk: '0.0.0-scripted', binary: '0.0.0', model: 'claude-scripted-1' },
    });
    expect(result.tokens).toEqual({
      inputTokens: 200,
      outputTokens: 20,
      cacheReadTokens: 2000,
      cacheWriteTokens: 100,
    });
  });

  it('leaves what a subagent says out of the text', async () => {
    const subagent = { id: 'a1' };
    const life = bench.life(bench.place(), [
      {
        says: ['mine'],
        tells: [{ kind: 'event', event: { type: 'text', text: 'his', subagent } }],
      },
    ]);
    expect((await life.runtime.run(agent, 'Go.')).text).toBe('mine');
  });

  it('writes the row into the manifest under the names of the seeds', async () => {
    const place = bench.place();
    const life = bench.life(place, ['done']);
    await life.runtime.run(agent, 'Go.', { stepName: 'work' });
    await life.close();
    expect(readRunFile(place, 'manifest.json')).toEqual([
      expect.objectContaining({
        step: 'work',
        run: life.runtime.runId,
        ok: true,
        cost_usd: 0.01,
        num_turns: 1,
        text: 'done',
        error: null,
        started_at: 1_767_225_600,
        ended_at: 1_767_225_600,
        duration_s: 0,
        attempts: 1,
        errors: [],
        resumed: false,
        retired: [],
        context: 1150,
      }),
    ]);
    expect(life.runtime.runId).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
  });

  it('proposes its session before the start and names it at the first record', async () => {
    const order: string[] = [];
    const life = bench.life(bench.place(), ['done']);
    await life.runtime.run(agent, 'Go.', {
      sessionId: id,
      onStart: ({ sessionId, firstSequence }) =>
        order.push(`start ${sessionId} ${firstSequence} ${life.engine.requests.length}`),
      onRecord: (sessionId) => order.push(`record ${sessionId} ${life.engine.requests.length}`),
    });
    expect(order).toEqual([`start ${id} 0 0`, `record ${id} 1`]);
    expect(await life.runtime.hasSession(id)).toBe(true);
    expect(await life.runtime.contextOf(id)).toBe(1150);
  });

  it('counts the retries that Claude Code makes itself, and keeps alarms', async () => {
    const life = bench.life(bench.place(), [
      {
        says: ['done'],
        tells: [
          { kind: 'api-retry', delayMs: 500, status: 529 },
          {
            kind: 'signal',
            signal: { type: 'alarm', code: 'transcript-not-saved', params: { detail: 'x' } },
          },
        ],
      },
    ]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result.apiRetries).toBe(1);
    expect(result.alarms).toEqual(['transcript-not-saved']);
    expect(eventsOf(life.events, 'notice').map(({ code }) => code)).toContain('api-retry');
  });

  it.each([
    ['claude-scripted-1', []],
    ['claude-scripted-1-20260101', []],
    ['claude-scripted-1-20260101[1m]', []],
    ['another-model', ['model-differs']],
  ])('compares the wanted model %s with the one that answers', async (model, codes) => {
    const init = { kind: 'init', binaryVersion: '1', model } as const;
    const life = bench.life(bench.place(), [{ says: ['done', 'more'], tells: [init] }]);
    await life.runtime.run(agent, 'Go.');
    expect(eventsOf(life.events, 'notice').map(({ code }) => code)).toEqual(codes);
  });
});

describe('failures', () => {
  it('a transient one is tried again with the resume prompt and no error text', async () => {
    const life = bench.life(bench.place(), [{ facts: overloaded }, 'done']);
    const result = await life.runtime.run(agent, 'Go.');
    expect(life.engine.heard).toEqual([
      ['new', 'Go.'],
      ['turn', resumePrompt],
    ]);
    expect(life.engine.requests[1]?.prompt).not.toContain('529');
    expect(result).toMatchObject({
      ok: true,
      text: 'done',
      attempts: 2,
      errors: [overloaded.message],
      error: null,
      failure: null,
      resumed: true,
    });
    expect(new Set(life.engine.requests.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(eventsOf(life.events, 'attempt-retry')).toMatchObject([
      { attempt: 1, failure: 'transient', delayMs: 4000 },
    ]);
  });

  it('sends the prompt again when the failed attempt left no record', async () => {
    const life = bench.life(bench.place(), [{ facts: overloaded, rows: false }, 'done']);
    const result = await life.runtime.run(agent, 'Go.');
    expect(life.engine.heard).toEqual([
      ['new', 'Go.'],
      ['new', 'Go.'],
    ]);
    expect(result.resumed).toBe(false);
  });

  it('says the resume prompt as a message where an answer broke off', async () => {
    const life = bench.life(bench.place(), [{ says: ['half'], facts: overloaded }, 'done']);
    const result = await life.runtime.run(agent, 'Go.');
    expect(life.engine.heard[1]).toEqual(['prompt', resumePrompt]);
    expect(result.text).toBe('done');
  });

  it('keeps the prose of the turn that it goes on with', async () => {
    const life = bench.life(bench.place(), [
      { says: ['first'], calls: ['Bash'], facts: { ...overloaded, resultSubtype: 'x' } },
      'second',
    ]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(life.engine.heard[1]).toEqual(['turn', resumePrompt]);
    expect(result.text).toBe('first\nsecond');
  });

  it('keeps earlier text when a later attempt says nothing', async () => {
    const fatal = { error: 'billing_error', message: 'no credit' };
    const life = bench.life(bench.place(), [
      { says: ['half'], facts: overloaded },
      { facts: fatal },
    ]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: false, text: 'half', failure: 'fatal', error: 'no credit' });
  });

  it.each<[string, FailureFacts, number, string]>([
    ['fatal', { error: 'authentication_failed', message: '401' }, 1, 'fatal'],
    ['max turns', { resultSubtype: 'error_max_turns', message: 'turns' }, 1, 'fatal'],
    ['overflow', { terminalReason: 'prompt_too_long', message: 'long' }, 1, 'overflow'],
  ])('%s stops at once', async (_, facts, attempts, failure) => {
    const life = bench.life(bench.place(), [{ facts }]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: false, attempts, failure, error: facts.message });
    expect(result.errors).toEqual([facts.message]);
  });

  it.each([
    [true, 2],
    [false, 1],
  ])('an unknown one with retryUnknown %s takes %i attempts', async (retryUnknown, attempts) => {
    const life = bench.life(bench.place(), [{ facts: odd }, 'done'], {
      resilience: { retryUnknown },
    });
    expect((await life.runtime.run(agent, 'Go.')).attempts).toBe(attempts);
  });

  it('ends after maxAttempts, the first included, with doubled pauses between', async () => {
    const life = bench.life(
      bench.place(),
      [1, 2, 3].map((): ScriptedSegment => ({ facts: overloaded })),
      { resilience: { maxAttempts: 3 } },
    );
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: false, attempts: 3, failure: 'transient' });
    expect(result.errors).toHaveLength(3);
    expect(life.clock.sleptMs).toEqual([4000, 8000]);
  });

  it('resilience: false ends at the first failure', async () => {
    const life = bench.life(bench.place(), [{ facts: overloaded }], { resilience: false });
    expect((await life.runtime.run(agent, 'Go.')).attempts).toBe(1);
  });

  it('an engine that breaks its contract leaves a closed row', async () => {
    const place = bench.place();
    const life = bench.life(place, []);
    await expect(life.runtime.run(agent, 'Go.')).rejects.toThrow('No segment is scripted');
    await life.close();
    expect(readRunFile(place, 'manifest.json')).toMatchObject([
      { ok: false, error: 'No segment is scripted for: Go.' },
    ]);
    expect(life.runtime.results).toEqual([]);
  });
});

describe('waiting', () => {
  const now = new Date('2026-01-01T00:00:00Z').getTime();
  const limitedUntil = (afterMs: number): FailureFacts => ({
    error: 'rate_limit',
    message: 'limit reached',
    limitResetsAt: (now + afterMs) / 1000,
  });

  it('a limit is waited for until its reset, with events around the wait', async () => {
    const life = bench.life(bench.place(), [{ facts: limitedUntil(3_600_000) }, 'done']);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    expect(eventsOf(life.events, 'wait-start')).toMatchObject([
      { reason: 'limit', until: '2026-01-01T01:00:30.000Z', step: 'agent' },
    ]);
    expect(eventsOf(life.events, 'wait-end')).toMatchObject([
      { reason: 'limit', waitedMs: 3_630_000, ok: true },
    ]);
  });

  it('a reset beyond maxLimitWaitMs ends the run as limited', async () => {
    const life = bench.life(bench.place(), [{ facts: limitedUntil(7_200_000) }], {
      resilience: { maxLimitWaitMs: 3_600_000 },
    });
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: false, failure: 'limited', attempts: 1 });
    expect(life.clock.sleptMs).toEqual([]);
  });

  it('a limit without a stated reset is met by the back-off', async () => {
    const facts = { apiError: 'usage_limit_reached', message: 'limit' };
    const life = bench.life(bench.place(), [{ facts }, 'done']);
    expect((await life.runtime.run(agent, 'Go.')).ok).toBe(true);
    expect(life.clock.sleptMs).toEqual([4000]);
  });

  it('being offline is told, and told again when it ends', async () => {
    const server = createServer((socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close();
    await once(server, 'close');
    const place = bench.place();
    const env = { ...place.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const life = bench.life(place, [{ facts: overloaded }, 'done'], { env });
    life.runtime.subscribe((event) => {
      if (event.type === 'wait-start') server.listen(port, '127.0.0.1');
    });
    try {
      expect((await life.runtime.run(agent, 'Go.')).ok).toBe(true);
    } finally {
      server.close();
    }
    expect(eventsOf(life.events, 'wait-start')).toMatchObject([
      { reason: 'offline', target: `127.0.0.1:${port}` },
    ]);
    expect(eventsOf(life.events, 'wait-end')).toMatchObject([{ reason: 'offline', ok: true }]);
  });

  it('gives up when the network stays away', async () => {
    const place = bench.place();
    const env = { ...place.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
    const life = bench.life(place, [{ facts: overloaded }], {
      env,
      resilience: { maxOfflineWaitMs: 60_000 },
    });
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: false, failure: 'transient', attempts: 1 });
    expect(eventsOf(life.events, 'wait-end')).toMatchObject([
      { reason: 'offline', ok: false, waitedMs: 60_000 },
    ]);
  });

  it('an abort ends the wait', async () => {
    const stop = new AbortController();
    const life = bench.life(bench.place(), [{ facts: overloaded }]);
    life.runtime.subscribe((event) => {
      if (event.type === 'attempt-retry') stop.abort();
    });
    const result = await life.runtime.run(agent, 'Go.', { signal: stop.signal });
    expect(result).toMatchObject({ ok: false, error: 'stopped', failure: null, attempts: 1 });
  });
});

describe('bounds', () => {
  it('an abort stops the segment and is no failed attempt', async () => {
    const stop = new AbortController();
    const life = bench.life(bench.place(), [{ holds: 'prompt' }]);
    const running = life.runtime.run(agent, 'Go.', { signal: stop.signal });
    await life.engine.untilHeld();
    stop.abort();
    expect(await running).toMatchObject({ ok: false, error: 'stopped', errors: [], attempts: 1 });
  });

  it('a silent stream is cut and tried again', async () => {
    const life = bench.life(bench.place(), [{ holds: 'prompt' }, 'done'], { silentMs: 20 });
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ ok: true, attempts: 2, text: 'done' });
    expect(result.errors[0]).toContain('no sign of life for 20 ms');
    expect(eventsOf(life.events, 'notice').map(({ code }) => code)).toEqual(['silent-stream']);
  });

  it('the budget of a run counts what its failed attempts spent', async () => {
    const life = bench.life(bench.place(), [
      { facts: overloaded, costUsd: 0.03 },
      { facts: overloaded, costUsd: 0.08 },
      'done',
    ]);
    const result = await life.runtime.run({ ...agent, maxBudgetUsd: 0.1 }, 'Go.');
    expect(life.engine.requests.map(({ budgetUsd }) => budgetUsd)).toEqual([
      0.1,
      expect.closeTo(0.07),
      0.000_001,
    ]);
    expect(result.costUsd).toBeCloseTo(0.12);
  });

  it('the model of the runtime stands over the one of the spec', async () => {
    const life = bench.life(bench.place(), ['done'], { model: 'chosen' });
    await life.runtime.run({ ...agent, model: 'own' }, 'Go.');
    expect(life.engine.requests[0]?.spec.model).toBe('chosen');
  });
});

describe('structured answers', () => {
  const schema = z.object({ words: z.number() });

  it('asks with the JSON schema and validates the answer', async () => {
    const life = bench.life(bench.place(), [{ says: ['4'], structured: { words: 4 } }]);
    const result = await life.runtime.run(agent, 'Count.', { schema });
    expect(life.engine.requests[0]?.outputSchema).toMatchObject({ required: ['words'] });
    expect(result).toMatchObject({ ok: true, output: { words: 4 } });
  });

  it('an answer that does not fit is a failure without another attempt', async () => {
    const life = bench.life(bench.place(), [{ structured: { words: 'four' } }]);
    const result = await life.runtime.run(agent, 'Count.', { schema });
    expect(result).toMatchObject({ ok: false, attempts: 1, failure: 'fatal' });
    expect(result.error).toContain('does not fit its schema');
    expect(result).not.toHaveProperty('output');
  });

  it('a schema that transforms asks for its input', async () => {
    const shout = z.object({ word: z.string().transform((word) => word.toUpperCase()) });
    const life = bench.life(bench.place(), [{ structured: { word: 'hi' } }]);
    const result = await life.runtime.run(agent, 'Say.', { schema: shout });
    expect(result.output).toEqual({ word: 'HI' });
  });

  it('a schema that JSON cannot describe is refused before anything starts', async () => {
    const life = bench.life(bench.place(), []);
    const running = life.runtime.run(agent, 'Say.', { schema: z.object({ at: z.date() }) });
    await expect(running).rejects.toMatchObject({ code: 'option-invalid' });
    expect(life.engine.requests).toEqual([]);
  });
});
