import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { resilienceDefaults } from '../resilience/resilience-options.ts';
import { runBench } from '../runtime/run-bench.test-support.ts';
import type { ScriptedSegment } from '../runtime/scripted-engine.test-support.ts';
import {
  eventsOf,
  type Life,
  readRunFile,
  type RunPlace,
} from '../runtime/scripted-life.test-support.ts';
import type { AnyContext } from './context.ts';
import type { WorkflowRunOptions } from './workflow-definition.ts';
import { Step, type StepOptions } from './step.ts';
import { Workflow } from './workflow.ts';

const bench = runBench();
const agent: AgentSpec = { name: 'agent' };
const { resumePrompt } = resilienceDefaults;
const fatal = { facts: { error: 'billing_error', message: 'no credit' } };

type Options = StepOptions<AnyContext, unknown, unknown>;

/** One life: runs the flow with a script, closes, and says what was heard. */
async function live(
  place: RunPlace,
  flow: Workflow,
  script: readonly (ScriptedSegment | string)[],
  options: WorkflowRunOptions = {},
): Promise<{ ctx: AnyContext; life: Life; heard: Life['engine']['heard']; labels: string[] }> {
  const life = bench.life(place, script);
  const ctx = await flow.run(life.runtime, options);
  await life.close();
  expect(life.engine.unplayed).toBe(0);
  const labels = life.runtime.results.map(({ step }) => step);
  return { ctx, life, heard: life.engine.heard, labels };
}

/** `one` passes, `two` as the options say. */
function pair(one: Options = {}, two: Options = {}): Workflow {
  return new Workflow([
    new Step('one', agent, 'Do one.', one),
    new Step('two', agent, 'Do two.', two),
  ]);
}

describe('after a finished run', () => {
  it('every step speaks again in its session: resumePrompt, else its prompt', async () => {
    const place = bench.place();
    const flow = (): Workflow => pair({ resumePrompt: (ctx) => `Again ${ctx._woke}.` });
    const first = await live(place, flow(), ['a', 'b']);
    const second = await live(place, flow(), ['c', 'd']);
    expect(second.heard).toEqual([
      ['prompt', 'Again 2.'],
      ['prompt', 'Do two.'],
    ]);
    expect(second.ctx._sessions).toEqual(first.ctx._sessions);
    expect([first.ctx._woke, second.ctx._woke]).toEqual([1, 2]);
    expect(second.ctx).toMatchObject({ one: 'c', two: 'd' });
    expect(second.labels).toEqual(['one', 'two']);
    expect(eventsOf(second.life.events, 'step-start').map(({ resumed }) => resumed)).toEqual([
      true,
      true,
    ]);
    expect(eventsOf(second.life.events, 'run-start')).toMatchObject([{ resumed: true, woke: 2 }]);
  });

  it('a declared resumeFrom keeps its meaning', async () => {
    const place = bench.place();
    const flow = (): Workflow => pair({}, { resumeFrom: 'one', fork: true });
    const first = await live(place, flow(), ['a', 'b']);
    const second = await live(place, flow(), ['c', 'd']);
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
    expect(second.ctx._sessions['two']).not.toBe(first.ctx._sessions['two']);
  });

  it('continuous: false opens new sessions and leaves no lineage', async () => {
    const place = bench.place();
    const flow = (): Workflow =>
      new Workflow([new Step('one', agent, 'Do one.')], { continuous: false });
    const first = await live(place, flow(), ['a']);
    const second = await live(place, flow(), ['b']);
    expect(second.heard).toEqual([['new', 'Do one.']]);
    expect(second.ctx._sessions).not.toEqual(first.ctx._sessions);
    expect(second.ctx).toMatchObject({ _woke: 1, _lineage: undefined });
    expect(() => readRunFile(place, 'lineage.json')).toThrow('ENOENT');
  });

  it('a retry starts anew, and the old session counts until the new one has a record', async () => {
    const place = bench.place();
    const gate = ({ text }: { text: string }): boolean => text !== 'bad';
    const first = await live(place, pair(), ['a', 'b']);
    const second = await live(place, pair({ gate, retries: 1 }), [
      'bad',
      { ...fatal, rows: false },
    ]);
    expect(second.heard).toEqual([
      ['prompt', 'Do one.'],
      ['new', 'Do one.'],
    ]);
    expect(readRunFile(place, 'lineage.json')).toMatchObject({
      steps: { one: first.ctx._sessions['one'] },
    });
  });
});

describe('after an unfinished run', () => {
  it('a step that had passed is not run again and everything it wrote comes back', async () => {
    const place = bench.place();
    const flow = (): Workflow =>
      new Workflow([
        new Step('zero', agent, 'Do zero.', {
          gate: (_, ctx) => {
            ctx['list'] = [1];
            return true;
          },
        }),
        new Step('one', agent, 'Do one.', {
          schema: z.object({ words: z.number() }),
          gate: (result, ctx) => {
            (ctx['list'] as number[]).push(2);
            ctx['deep'] = { text: result.text, nested: [null, true] };
            return true;
          },
        }),
        new Step('two', agent, (ctx) => `Do two with ${JSON.stringify(ctx['deep'])}.`),
      ]);
    const first = await live(place, flow(), [
      'z',
      { says: ['one'], structured: { words: 1 } },
      { ...fatal, rows: false },
    ]);
    expect(first.ctx._failedAt).toBe('two');
    const second = await live(place, flow(), ['done']);
    expect(second.ctx).toMatchObject({
      zero: 'z',
      one: { words: 1 },
      list: [1, 2],
      deep: { text: 'one', nested: [null, true] },
      two: 'done',
    });
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
    expect(second.ctx._results['one']).toEqual(
      JSON.parse(JSON.stringify(first.ctx._results['one'])),
    );
    expect(eventsOf(second.life.events, 'step-skip')).toMatchObject([
      { step: 'zero', reason: 'already-passed' },
      { step: 'one', reason: 'already-passed', index: 2, total: 3 },
    ]);
    expect(second.heard).toEqual([['new', 'Do two with {"text":"one","nested":[null,true]}.']]);
  });

  it.each([[false], [true]])('resumeFrom a restored step works, fork %s', async (fork) => {
    const place = bench.place();
    const flow = (): Workflow => pair({}, { resumeFrom: 'one', fork, gate: () => woke > 0 });
    let woke = 0;
    const first = await live(place, flow(), ['a', 'b']);
    woke = 1;
    const second = await live(place, flow(), ['c']);
    expect(second.heard).toEqual([['prompt', resumePrompt]]);
    expect(second.ctx._sessions['two']).toBe(first.ctx._sessions['two']);
    expect(second.ctx._sessions['two'] === second.ctx._sessions['one']).toBe(!fork);
  });

  it.each<[string, Options, string]>([
    ['the resilience text', {}, resumePrompt],
    ['its resumePrompt', { resumePrompt: 'Go on with one.' }, 'Go on with one.'],
  ])('a step whose gate said no continues with %s', async (_, options, text) => {
    const place = bench.place();
    let isGood = false;
    const flow = (): Workflow => pair({ gate: () => isGood, ...options });
    const first = await live(place, flow(), ['a']);
    isGood = true;
    const second = await live(place, flow(), ['b', 'c']);
    expect(second.heard).toEqual([
      ['prompt', text],
      ['new', 'Do two.'],
    ]);
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
    expect(second.labels).toEqual(['one', 'two']);
  });

  it('a step that a failure cut in mid-turn goes on in that turn', async () => {
    const place = bench.place();
    const first = await live(place, pair(), [fatal]);
    const second = await live(place, pair(), ['a', 'b']);
    expect(second.heard[0]).toEqual(['turn', resumePrompt]);
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
  });

  it('a step without a record hears its prompt, under the id that it had been given', async () => {
    const place = bench.place();
    const first = await live(place, pair(), [{ ...fatal, rows: false }]);
    const second = await live(place, pair(), ['a', 'b']);
    expect(second.heard[0]).toEqual(['new', 'Do one.']);
    expect(second.ctx._sessions['one']).toBe(first.life.engine.requests[0]?.sessionId);
  });

  it('a rejected attempt goes on with the stored objection', async () => {
    const place = bench.place();
    let round = 0;
    const flow = (): Workflow =>
      pair({
        retries: 1,
        gate: ({ text }) => text === 'good',
        onReject: () => {
          round += 1;
          return `Objection ${round}.`;
        },
      });
    const first = bench.life(place, ['bad']);
    first.runtime.subscribe((event) => {
      // The next attempt looks at its session first: there this life ends.
      if (event.type === 'usage') first.engine.nextInspectError = new Error('the disk is gone');
    });
    await expect(flow().run(first.runtime)).rejects.toThrow('the disk is gone');
    await first.close();
    const second = await live(place, flow(), ['good', 'b']);
    expect(second.heard[0]).toEqual(['prompt', 'Objection 1.']);
    expect(second.labels).toEqual(['one#round2', 'two']);
    expect(round).toBe(1);
  });

  it('a rejected attempt without an objection starts anew', async () => {
    const place = bench.place();
    const flow = (): Workflow => pair({ retries: 1, gate: ({ text }) => text === 'good' });
    const first = bench.life(place, ['bad']);
    first.runtime.subscribe((event) => {
      if (event.type === 'usage') first.engine.nextInspectError = new Error('the disk is gone');
    });
    await expect(flow().run(first.runtime)).rejects.toThrow('the disk is gone');
    await first.close();
    const second = await live(place, flow(), ['good', 'b']);
    expect(second.heard[0]).toEqual(['new', 'Do one.']);
    expect(second.labels).toEqual(['one#retry1', 'two']);
  });

  it('a result whose gate broke gets its gate again, without a request', async () => {
    const place = bench.place();
    const asked: string[] = [];
    let isBroken = true;
    const flow = (): Workflow =>
      pair(
        {
          gate: ({ text }) => {
            asked.push(text);
            if (isBroken) throw new Error('broken');
            return true;
          },
        },
        { resumeFrom: 'one' },
      );
    const first = bench.life(place, ['a']);
    await expect(flow().run(first.runtime)).rejects.toThrow('broken');
    await first.close();
    isBroken = false;
    const second = await live(place, flow(), ['b']);
    expect(asked).toEqual(['a', 'a']);
    expect(second.heard).toEqual([['prompt', 'Do two.']]);
    expect(second.ctx).toMatchObject({ one: 'a', two: 'b' });
    expect(second.ctx._sessions['one']).toBe(first.engine.requests[0]?.sessionId);
  });

  it('when is not asked again for a step that is under way', async () => {
    const place = bench.place();
    let asked = 0;
    const when = (): boolean => {
      asked += 1;
      return asked === 1;
    };
    await live(place, pair({ when }), [fatal]);
    await live(place, pair({ when }), ['a', 'b']);
    expect(asked).toBe(1);
  });

  it.each<[string, Workflow]>([
    ['prompt', new Workflow([new Step('one', agent, 'Do it better.')])],
    [
      'instructions',
      new Workflow([new Step('one', { ...agent, instructions: 'Be brief.' }, 'Do one.')]),
    ],
    ['tools', new Workflow([new Step('one', { ...agent, allowedTools: ['Bash'] }, 'Do one.')])],
    ['model', new Workflow([new Step('one', { ...agent, model: 'other' }, 'Do one.')])],
    ['agent', new Workflow([new Step('one', { name: 'another' }, 'Do one.')])],
  ])(
    'a changed %s makes a passed step run again, in its session, with its prompt',
    async (_, changed) => {
      const place = bench.place();
      const two = new Step('two', agent, 'Do two.');
      const first = await live(place, pair({ resumePrompt: 'Again.' }), ['a', fatal]);
      const flow = new Workflow([...changed.steps, two]);
      const second = await live(place, flow, ['b', 'c']);
      expect(second.heard[0]).toEqual(['prompt', changed.steps[0]?.prompt]);
      expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
      expect(second.ctx['one']).toBe('b');
    },
  );

  it('a changed schema makes a passed step run again', async () => {
    const place = bench.place();
    const schema = z.object({ words: z.number() });
    await live(place, pair(), ['a', fatal]);
    const second = await live(place, pair({ schema }), [{ structured: { words: 2 } }, 'b']);
    expect(second.ctx['one']).toEqual({ words: 2 });
  });

  it('changed functions do not count', async () => {
    const place = bench.place();
    await live(place, pair({ gate: () => true }), ['a', fatal]);
    const second = await live(place, pair({ gate: () => false, reduce: () => 'x' }), ['b']);
    expect(second.ctx['one']).toBe('a');
  });

  it.each<[string, unknown]>([
    ['a date', new Date()],
    ['a function', () => 1],
    ['a map', new Map()],
    ['NaN', Number.NaN],
  ])('a value that cannot be stored (%s) makes the step run again', async (_, value) => {
    const place = bench.place();
    const first = await live(place, pair({ reduce: () => value }), ['a', fatal]);
    expect(eventsOf(first.life.events, 'notice')).toMatchObject([
      { code: 'value-not-stored', params: { step: 'one', key: 'one' } },
    ]);
    const second = await live(place, pair({ reduce: () => value }), ['b', 'c']);
    expect(second.heard[0]).toEqual(['prompt', 'Do one.']);
  });

  it('rerun: true makes a passed step run again, with its prompt', async () => {
    const place = bench.place();
    const options = { rerun: true, resumePrompt: 'Again.' };
    const first = await live(place, pair(options), ['a', fatal]);
    const second = await live(place, pair(options), ['b', 'c']);
    expect(second.heard[0]).toEqual(['prompt', 'Do one.']);
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
  });

  it.each([
    ['skip', undefined],
    ['continue', 'raw'],
  ] as const)('a step that failed with onFail %s is done all the same', async (onFail, value) => {
    const place = bench.place();
    const flow = (): Workflow => pair({ onFail, gate: () => false });
    await live(place, flow(), ['raw', fatal]);
    const second = await live(place, flow(), ['b']);
    expect(second.ctx['one']).toBe(value);
    expect(second.labels).toEqual(['two']);
  });

  it('continuous: false runs everything again', async () => {
    const place = bench.place();
    const flow = (): Workflow => new Workflow(pair().steps, { continuous: false });
    await live(place, flow(), ['a', fatal]);
    const second = await live(place, flow(), ['b', 'c']);
    expect(second.heard).toEqual([
      ['new', 'Do one.'],
      ['new', 'Do two.'],
    ]);
  });

  it('states count in the chain of unfinished runs only: a finished one ends it', async () => {
    const place = bench.place();
    await live(place, pair(), ['a', fatal]);
    await live(place, pair(), [fatal]);
    const third = await live(place, pair(), ['b']);
    expect(third.ctx).toMatchObject({ one: 'a', two: 'b' });
    const fourth = await live(place, pair(), ['c', 'd']);
    expect(fourth.ctx).toMatchObject({ one: 'c', two: 'd' });
  });

  it('two flows of one directory have chains of their own', async () => {
    const place = bench.place();
    const named = (name: string): Workflow => new Workflow(pair().steps, { name });
    await live(place, named('x'), ['a', fatal]);
    const other = await live(place, named('y'), ['b', 'c']);
    expect(other.heard[0]).toEqual(['new', 'Do one.']);
    expect((await live(place, named('x'), ['d'])).ctx).toMatchObject({ one: 'a', two: 'd' });
  });
});

describe('options of a run', () => {
  const three = (options: Options = {}): Workflow =>
    new Workflow([
      new Step('one', agent, 'Do one.'),
      new Step('two', agent, 'Do two.', options),
      new Step('three', agent, (ctx) => `Do three with ${String(ctx['two'])}.`),
    ]);

  it('from runs that step and all behind it; earlier values are read back', async () => {
    const place = bench.place();
    await live(place, three(), ['a', 'b', 'c']);
    const second = await live(place, three(), ['B', 'C'], { from: 'two' });
    expect(second.ctx).toMatchObject({ one: 'a', two: 'B', three: 'C' });
    expect(second.heard).toEqual([
      ['prompt', 'Do two.'],
      ['prompt', 'Do three with B.'],
    ]);
  });

  it('from runs steps again that had passed in an unfinished run', async () => {
    const place = bench.place();
    await live(place, three(), ['a', 'b', fatal]);
    const second = await live(place, three(), ['A', 'B', 'C'], { from: 'one' });
    expect(second.ctx).toMatchObject({ one: 'A', two: 'B', three: 'C' });
  });

  it('from passes over an optional step that was never run', async () => {
    const place = bench.place();
    await live(place, three({ when: () => false }), ['a', 'c']);
    const second = await live(place, three({ when: () => false }), ['C'], { from: 'three' });
    expect(second.ctx).toMatchObject({ one: 'a', three: 'C' });
    expect(second.ctx).not.toHaveProperty('two');
  });

  it('only runs that step alone', async () => {
    const place = bench.place();
    await live(place, three(), ['a', 'b', 'c']);
    const second = await live(place, three(), ['B'], { only: 'two' });
    expect(second.ctx).toMatchObject({ one: 'a', two: 'B' });
    expect(second.ctx).not.toHaveProperty('three');
  });

  it('only leaves a cut run unfinished: the next one goes on behind it', async () => {
    const place = bench.place();
    await live(place, three(), ['a', fatal]);
    await live(place, three(), ['b'], { only: 'two' });
    const third = await live(place, three(), ['c']);
    expect(third.ctx).toMatchObject({ one: 'a', two: 'b', three: 'c' });
    expect(third.labels).toEqual(['three']);
  });

  it('fresh opens a new session', async () => {
    const place = bench.place();
    const first = await live(place, three(), ['a', 'b', 'c']);
    const second = await live(place, three(), ['A', 'B', 'C'], { fresh: ['two'] });
    expect(second.heard.map(([start]) => start)).toEqual(['prompt', 'new', 'prompt']);
    expect(second.ctx._sessions['one']).toBe(first.ctx._sessions['one']);
    expect(second.ctx._sessions['two']).not.toBe(first.ctx._sessions['two']);
  });

  it('new archives the history and starts from zero; transcripts stay', async () => {
    const place = bench.place();
    const first = await live(place, three(), ['a', 'b', fatal]);
    const second = await live(place, three(), ['A', 'B', 'C'], { new: true });
    expect(second.ctx._woke).toBe(1);
    expect(second.heard.map(([start]) => start)).toEqual(['new', 'new', 'new']);
    expect(readRunFile(place, 'lineage.json')).toMatchObject({ woke: 1 });
    const rows = await bench.life(place, []).engine.rowsOf(first.ctx._sessions['one'] ?? '');
    expect(rows).toHaveLength(2);
  });

  it.each<[string, WorkflowRunOptions]>([
    ['from', { from: 'four' }],
    ['only', { only: 'four' }],
    ['fresh', { fresh: ['four'] }],
    ['from a step behind one that never passed', { from: 'two' }],
  ])('%s with nothing to name is refused before anything runs', async (_, options) => {
    const life = bench.life(bench.place(), []);
    await expect(three().run(life.runtime, options)).rejects.toMatchObject({
      code: 'workflow-invalid',
    });
  });

  it('moved goes on with the history of a workspace that was moved here', async () => {
    const place = bench.place();
    const first = await live(place, pair(), ['a', fatal]);
    const moved = { ...place, workspace: `${place.workspace}-moved` };
    renameSync(place.workspace, moved.workspace);
    const second = await live(moved, pair(), ['b'], { moved: true });
    expect(second.ctx).toMatchObject({ one: 'a', two: 'b', _woke: 2 });
    expect(second.heard).toEqual([['turn', resumePrompt]]);
    expect(second.ctx._sessions['two']).toBe(first.ctx._sessions['two']);
  });

  it('a lineage file that was taken away starts from zero', async () => {
    const place = bench.place();
    await live(place, pair(), ['a', fatal]);
    rmSync(join(place.runDir, 'lineage.json'));
    const second = await live(place, pair(), ['b', 'c']);
    expect(second.ctx).toMatchObject({ one: 'b', _woke: 1 });
    expect(second.heard.map(([start]) => start)).toEqual(['new', 'new']);
  });

  it('without moved another workspace starts from zero, and says so once', async () => {
    const place = bench.place();
    await live(place, pair(), ['a', fatal]);
    const copied = { ...place, workspace: bench.place().workspace };
    const second = await live(copied, pair(), ['b', 'c']);
    expect(second.ctx._woke).toBe(1);
    expect(second.heard.map(([start]) => start)).toEqual(['new', 'new']);
    expect(eventsOf(second.life.events, 'notice').map(({ code }) => code)).toEqual([
      'conversation-absent',
    ]);
  });
});
