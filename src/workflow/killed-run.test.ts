import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endForkedScripts, forkScript } from '../files/__fixtures__/fork-script.ts';
import { resilienceDefaults } from '../resilience/resilience-options.ts';
import type { ScriptedSegment } from '../runtime/scripted-engine.test-support.ts';
import {
  eventsOf,
  type Life,
  makeRunPlace,
  readRunFile,
  startLife,
} from '../runtime/scripted-life.test-support.ts';
import { readStatus } from '../runtime/status.ts';
import type { AnyContext } from './context.ts';
import {
  type KilledFlow,
  killedFlowDirectory,
  type KilledFlowName,
  killedFlows,
} from './__fixtures__/killed-flows.ts';

const { resumePrompt } = resilienceDefaults;
const root = mkdtempSync(join(tmpdir(), 'flower-killed-'));
const lives: Life[] = [];

beforeAll(async () => {
  const child = forkScript(new URL('./__fixtures__/first-lives.ts', import.meta.url), root);
  await child.next();
  await child.kill9();
}, 60_000);

afterEach(async () => {
  for (const life of lives.splice(0)) await life.close();
});

afterAll(() => {
  endForkedScripts();
  rmSync(root, { recursive: true, force: true });
});

interface Wake {
  readonly ctx: AnyContext;
  readonly life: Life;
  readonly labels: readonly string[];
  readonly rows: readonly unknown[];
}

/** The second life of a flow that was killed. */
async function wake(name: KilledFlowName, script: (ScriptedSegment | string)[]): Promise<Wake> {
  const { flow }: KilledFlow = killedFlows[name];
  const place = makeRunPlace(killedFlowDirectory(root, name));
  const before = await readStatus(place);
  expect(before).toMatchObject({ exists: true, woke: 1, lastRun: { outcome: 'unfinished' } });
  const life = startLife(place, script);
  lives.push(life);
  const ctx = await flow(() => Promise.resolve()).run(life.runtime);
  await life.close();
  expect(ctx).toMatchObject({ _woke: 2 });
  expect(ctx._failedAt).toBeUndefined();
  expect(life.engine.unplayed).toBe(0);
  const rows = readRunFile(place, 'manifest.json');
  return {
    ctx,
    life,
    labels: life.runtime.results.map(({ step }) => step),
    rows: Array.isArray(rows) ? rows : [],
  };
}

describe('a run that was killed', () => {
  it('before the first record: the prompt, under the chosen id', async () => {
    const place = makeRunPlace(killedFlowDirectory(root, 'before the first record'));
    const { steps } = await readStatus(place);
    expect(steps).toMatchObject([{ step: 'one', state: 'unfinished', alive: false }]);
    const { life, ctx } = await wake('before the first record', ['done']);
    expect(life.engine.heard).toEqual([['new', 'Do one.']]);
    expect(ctx['one']).toBe('done');
    expect(ctx._sessions['one']).toBe(steps[0]?.sessionId);
  });

  it('when the prompt is on disk: goes on in that turn', async () => {
    const { life, ctx, rows } = await wake('when the prompt is on disk', ['done']);
    expect(life.engine.heard).toEqual([['turn', 'Go on with one.']]);
    expect(rows).toMatchObject([
      { step: 'one', ok: false, error: 'killed-by-signal', session_id: ctx._sessions['one'] },
      { step: 'one', ok: true, resumed: true, run: life.runtime.runId },
    ]);
    expect(eventsOf(life.events, 'notice')).toMatchObject([
      { code: 'killed-segment', params: { step: 'one' } },
    ]);
  });

  it('in a tool: goes on in that turn and keeps what was said before', async () => {
    const { life, ctx } = await wake('in a tool', ['rest']);
    expect(life.engine.heard).toEqual([['turn', resumePrompt]]);
    expect(ctx['one']).toBe('half\nrest');
  });

  it('behind a complete answer: its gate gets it, without a request', async () => {
    const { life, ctx, labels } = await wake('behind a complete answer', []);
    expect(life.engine.requests).toEqual([]);
    expect(ctx['one']).toBe('whole');
    expect(labels).toEqual(['one']);
    expect(ctx._results['one']).toMatchObject({ ok: true, resumed: true, context: 1150 });
    expect(ctx._sessions['one']).toBe(ctx._results['one']?.sessionId);
  });

  it('behind a structured answer: it is validated, without a request', async () => {
    const { life, ctx } = await wake('behind a structured answer', []);
    expect(life.engine.requests).toEqual([]);
    expect(ctx['one']).toEqual({ words: 7 });
  });

  it('in a gate: the gate is asked again, without a request', async () => {
    const { life, ctx } = await wake('in a gate', []);
    expect(life.engine.requests).toEqual([]);
    expect(ctx['one']).toBe('whole');
  });

  it('before a round is heard: the objection', async () => {
    const { life, labels } = await wake('before a round is heard', ['good']);
    expect(life.engine.heard).toEqual([['prompt', 'Not bad.']]);
    expect(labels).toEqual(['one#round2']);
  });

  it('in a round: goes on in that turn', async () => {
    const { life, labels } = await wake('in a round', ['good']);
    expect(life.engine.heard).toEqual([['turn', resumePrompt]]);
    expect(labels).toEqual(['one#round2']);
  });

  it('in the second step: the first is restored, the killed segment has its cost', async () => {
    const { life, ctx, rows } = await wake('in the second step', ['rest']);
    expect(life.engine.heard).toEqual([['turn', resumePrompt]]);
    expect(ctx).toMatchObject({ one: 'seed', two: 'half\nrest' });
    expect(eventsOf(life.events, 'step-skip')).toMatchObject([
      { step: 'one', reason: 'already-passed' },
    ]);
    // Two responses of the tokens that cost half a dollar in the first step.
    expect(rows).toMatchObject([
      { step: 'one', ok: true, cost_usd: 0.5 },
      {
        step: 'two',
        ok: false,
        error: 'killed-by-signal',
        cost_usd: 1,
        unpriced_tokens: 0,
        tokens: { input_tokens: 200, output_tokens: 20 },
      },
      { step: 'two', ok: true },
    ]);
  });
});
