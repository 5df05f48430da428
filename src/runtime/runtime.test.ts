import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { runBench } from './run-bench.test-support.ts';
import { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import {
  scriptedModel,
  type ScriptedSegment,
  scriptedTokens,
} from './scripted-engine.test-support.ts';
import { eventsOf, readRunFile, type RunPlace } from './scripted-life.test-support.ts';

const bench = runBench();
const agent: AgentSpec = { name: 'agent' };
const unknownId = '99999999-9999-4999-8999-999999999999';
const priced: ScriptedSegment = {
  says: ['priced'],
  costUsd: 0.5,
  modelUsage: { [scriptedModel]: { ...scriptedTokens, costUsd: 0.5 } },
};

describe('a Runtime', () => {
  it.each<[string, (place: RunPlace) => Partial<RuntimeOptions>, string]>([
    [
      'a missing workspace',
      (place) => ({ workspace: join(place.workspace, 'no') }),
      'workspace-missing',
    ],
    [
      'a run directory that is a file',
      (place) => ({ runDir: join(place.workspace, 'file') }),
      'run-dir-unwritable',
    ],
    ['a wrong option', () => ({ resilience: { maxAttempts: 0 } }), 'option-invalid'],
  ])('refuses %s before anything is spent', (_, options, code) => {
    const place = bench.place();
    writeFileSync(join(place.workspace, 'file'), '');
    expect(() => bench.life(place, [], options(place))).toThrow(expect.objectContaining({ code }));
  });

  it('needs credentials when it drives Claude Code itself', () => {
    const { env, ...place } = bench.place();
    const bare = { HOME: env['HOME'], CLAUDE_CONFIG_DIR: env['CLAUDE_CONFIG_DIR'] };
    expect(() => new Runtime({ ...place, env: bare })).toThrow(
      expect.objectContaining({ code: 'credentials-missing' }),
    );
  });

  it('adds up what its runs cost', async () => {
    const life = bench.life(bench.place(), ['a', { says: ['b'], costUsd: 0.123_456 }]);
    await life.runtime.run(agent, 'Go.');
    await life.runtime.run(agent, 'Go.');
    expect(life.runtime.totalCost()).toBe(0.1335);
    expect(life.runtime.results).toHaveLength(2);
  });

  it('keeps its secrets out of events and rows', async () => {
    const place = bench.place();
    const secret = 'sk-ant-api03-0123456789abcdefghijklmnop';
    const env = { ...place.env, ANTHROPIC_API_KEY: secret };
    const life = bench.life(place, [{ says: [`the key is ${secret}`] }], { env });
    await life.runtime.run(agent, 'Go.');
    await life.close();
    expect(JSON.stringify(life.events)).not.toContain(secret);
  });

  it('says which settings of the project do not count', async () => {
    const place = bench.place();
    writeFileSync(join(place.workspace, 'CLAUDE.md'), 'x');
    mkdirSync(join(place.workspace, '.claude'));
    const life = bench.life(place, ['a']);
    await life.runtime.run(agent, 'Go.');
    expect(eventsOf(life.events, 'notice')).toMatchObject([
      { code: 'project-settings-ignored', params: { files: 'CLAUDE.md, .claude' } },
    ]);
  });

  it('says when the last work was done by another version, once', async () => {
    const place = bench.place();
    const first = bench.life(place, ['a']);
    await first.runtime.run(agent, 'Go.');
    await first.close();
    const second = bench.life(place, ['b', 'c']);
    Object.assign(second.engine, { sdkVersion: '9.9.9' });
    await second.runtime.run(agent, 'Go.');
    await second.runtime.run(agent, 'Go.');
    expect(eventsOf(second.events, 'notice').map(({ code }) => code)).toEqual(['version-differs']);
  });
});

describe('sessions', () => {
  it('resume speaks in the session', async () => {
    const life = bench.life(bench.place(), ['a', 'b']);
    const first = await life.runtime.run(agent, 'One.');
    const resume = first.sessionId ?? '';
    const second = await life.runtime.run(agent, 'Two.', { resume });
    expect(second).toMatchObject({ sessionId: resume, resumed: true, text: 'b' });
    expect(life.engine.heard).toEqual([
      ['new', 'One.'],
      ['prompt', 'Two.'],
    ]);
    expect(await life.engine.rowsOf(resume)).toHaveLength(4);
  });

  it('fork branches it under a new id and leaves the original untouched', async () => {
    const life = bench.life(bench.place(), ['a', 'b']);
    const { sessionId } = await life.runtime.run(agent, 'One.');
    const fork = await life.runtime.run(agent, 'Two.', { resume: sessionId ?? '', fork: true });
    expect(fork.sessionId).not.toBe(sessionId);
    expect(await life.engine.rowsOf(sessionId ?? '')).toHaveLength(2);
    expect(await life.engine.rowsOf(fork.sessionId ?? '')).toHaveLength(4);
  });

  it('resumeAt rolls back, in the first attempt that leaves a record only', async () => {
    const facts = { error: 'server_error', message: 'API Error: 529' };
    const life = bench.life(bench.place(), [
      'a',
      { facts, rows: false },
      { says: ['half'], facts },
      'b',
    ]);
    const { sessionId } = await life.runtime.run(agent, 'One.');
    await life.runtime.run(agent, 'Two.', { resume: sessionId ?? '', resumeAt: 'u1' });
    expect(life.engine.requests.map(({ resumeAt }) => resumeAt)).toEqual([
      undefined,
      'u1',
      'u1',
      undefined,
    ]);
  });

  it.each([
    ['to continue', {}],
    ['to branch', { fork: true }],
    ['to roll back', { resumeAt: 'u1' }],
  ])('an unknown session %s is an error, and can be tried again', async (_, options) => {
    const life = bench.life(bench.place(), []);
    for (let count = 0; count < 2; count += 1) {
      const running = life.runtime.run(agent, 'Go.', { resume: unknownId, ...options });
      await expect(running).rejects.toMatchObject({ code: 'session-unknown' });
    }
  });

  it('one session has one writer', async () => {
    const life = bench.life(bench.place(), ['a', { holds: 'prompt' }, 'c']);
    const { sessionId } = await life.runtime.run(agent, 'One.');
    const resume = sessionId ?? '';
    const stop = new AbortController();
    const second = life.runtime.run(agent, 'Two.', { resume, signal: stop.signal });
    await life.engine.untilHeld();
    await expect(life.runtime.run(agent, 'Three.', { resume })).rejects.toMatchObject({
      code: 'busy',
    });
    stop.abort();
    await second;
    expect((await life.runtime.run(agent, 'Three.', { resume })).text).toBe('c');
  });

  it('two runs go on side by side in sessions of their own', async () => {
    const life = bench.life(bench.place(), ['a', 'b']);
    const results = await Promise.all([
      life.runtime.run(agent, 'One.'),
      life.runtime.run(agent, 'Two.'),
    ]);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(2);
    await life.close();
  });
});

describe('costs', () => {
  it('a process that did not say its cost is priced at the recorded rate of its model', async () => {
    const life = bench.life(bench.place(), [priced, { says: ['a', 'b'], costUsd: null }]);
    await life.runtime.run(agent, 'Go.');
    const result = await life.runtime.run(agent, 'Go.');
    expect(result.costUsd).toBeCloseTo(1);
    expect(result.unpricedTokens).toBe(0);
  });

  it('without a rate its tokens are counted as unpriced', async () => {
    const life = bench.life(bench.place(), [{ says: ['a'], costUsd: null }]);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result).toMatchObject({ costUsd: 0, unpricedTokens: 1160 });
  });

  it('failed attempts count', async () => {
    const facts = { error: 'server_error', message: 'API Error: 529' };
    const life = bench.life(bench.place(), [{ says: ['half'], facts, costUsd: 0.2 }, 'b']);
    const result = await life.runtime.run(agent, 'Go.');
    expect(result.costUsd).toBeCloseTo(0.21);
    expect(result.tokens.outputTokens).toBe(20);
  });
});

describe('rescue', () => {
  it('writes the rows of what runs, with what it cost so far, before it returns', async () => {
    const place = bench.place();
    const life = bench.life(place, [priced, { says: ['half'], calls: ['Bash'], holds: 'answer' }]);
    await life.runtime.run(agent, 'Go.');
    const stop = new AbortController();
    let heard = 0;
    const bothResponses = new Promise<void>((resolve) => {
      life.runtime.subscribe(({ type }) => {
        if (type === 'usage' && ++heard === 2) resolve();
      });
    });
    const running = life.runtime.run(agent, 'Go.', { stepName: 'work', signal: stop.signal });
    await bothResponses;
    life.runtime.rescue();
    const rescued = readFileSync(join(place.runDir, 'manifest.json'), 'utf8');
    expect(JSON.parse(rescued)).toMatchObject([
      { step: 'agent', ok: true, cost_usd: 0.5 },
      {
        step: 'work',
        ok: false,
        error: 'killed-by-signal',
        cost_usd: 1,
        tokens: { output_tokens: 20 },
      },
    ]);
    stop.abort();
    await running;
    await life.close();
    expect(readRunFile(place, 'manifest.json')).toEqual(JSON.parse(rescued));
  });

  it('does nothing when nothing runs', async () => {
    const place = bench.place();
    const life = bench.life(place, ['a']);
    await life.runtime.run(agent, 'Go.');
    life.runtime.rescue();
    expect(readRunFile(place, 'manifest.json')).toMatchObject([{ ok: true }]);
  });
});
