import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { runBench } from '../runtime/run-bench.test-support.ts';
import type { ScriptedSegment } from '../runtime/scripted-engine.test-support.ts';
import { eventsOf, type Life, readRunFile } from '../runtime/scripted-life.test-support.ts';
import type { AnyContext } from './context.ts';
import { Step, type StepOptions } from './step.ts';
import { StepAbort } from './step-abort.ts';
import { Workflow, type WorkflowOptions } from './workflow.ts';

const bench = runBench();
const agent: AgentSpec = { name: 'agent' };

function life(...script: (ScriptedSegment | string)[]): Life {
  return bench.life(bench.place(), script);
}

function one(options: StepOptions<AnyContext, unknown, unknown> = {}): Workflow {
  return new Workflow([new Step('one', agent, 'Do one.', options)]);
}

async function run(workflow: Workflow, { runtime }: Life): Promise<AnyContext> {
  return await workflow.run(runtime);
}

function labelsOf({ runtime }: Life): string[] {
  return runtime.results.map(({ step }) => step);
}

describe('what a step writes', () => {
  it('ctx[name] is the text', async () => {
    const ctx = await run(one(), life('the answer'));
    expect(ctx['one']).toBe('the answer');
    expect(ctx._failedAt).toBeUndefined();
  });

  it('ctx[name] is what reduce returns', async () => {
    const reduce = (result: { text: string }, ctx: AnyContext): unknown => [
      result.text,
      ctx._woke,
      Object.keys(ctx._results),
    ];
    const ctx = await run(one({ reduce }), life('raw'));
    expect(ctx['one']).toEqual(['raw', 1, ['one']]);
  });

  it('ctx[name] is the validated answer of a schema', async () => {
    const schema = z.object({ words: z.number() });
    const ctx = await run(one({ schema }), life({ says: ['3'], structured: { words: 3 } }));
    expect(ctx['one']).toEqual({ words: 3 });
    expect(ctx._results['one']?.output).toEqual({ words: 3 });
  });

  it('a promise from reduce is an error', async () => {
    const reduce = (): Promise<string> => Promise.resolve('late');
    await expect(run(one({ reduce }), life('x'))).rejects.toMatchObject({
      code: 'workflow-invalid',
    });
  });

  it('_results and _sessions are written for every step that ran, passed or not', async () => {
    const flow = new Workflow([
      new Step('good', agent, 'Do it.'),
      new Step('bad', agent, 'Do it.', { gate: () => false }),
    ]);
    const started = life('yes', 'no');
    const ctx = await run(flow, started);
    expect(ctx._results).toMatchObject({ good: { text: 'yes' }, bad: { text: 'no', ok: true } });
    expect(Object.values(ctx._sessions)).toEqual(
      started.engine.requests.map(({ sessionId }) => sessionId),
    );
    expect(ctx).not.toHaveProperty('bad');
    expect(ctx._failedAt).toBe('bad');
  });

  it('a later prompt sees what earlier steps wrote', async () => {
    const started = life('seed', 'tree');
    const flow = Workflow.of('typed')
      .step('one', agent, 'Do one.')
      .step('two', agent, (ctx) => `Grow ${ctx.one}.`);
    const ctx = await flow.run(started.runtime);
    expect(started.engine.heard[1]).toEqual(['new', 'Grow seed.']);
    expect(ctx.two).toBe('tree');
  });

  it('ctx is the object that was given; keys of an earlier run stay, its end does not', async () => {
    const context = { mine: 1, _failedAt: 'x', _aborted: 'y', stale: true };
    const place = bench.place();
    const flow = new Workflow([new Step('one', agent, 'Do one.')], { context });
    const ctx = await run(flow, bench.life(place, ['a']));
    expect(ctx).toBe(context);
    expect(ctx).toBe(flow.context);
    expect(ctx).toMatchObject({ mine: 1, stale: true, one: 'a' });
    expect(ctx).not.toHaveProperty('_failedAt');
    expect(ctx).not.toHaveProperty('_aborted');
  });

  it('_runtime and _onEvent are there for gates', async () => {
    const seen: unknown[] = [];
    const started = life('work', 'judged');
    const onEvent = (): void => undefined;
    const flow = one({
      gate: async (_, ctx) => {
        seen.push(ctx._runtime === started.runtime, ctx._onEvent === onEvent);
        const verdict = await ctx._runtime.run({ name: 'judge' }, 'Judge it.');
        return verdict.text === 'judged';
      },
    });
    const ctx = await flow.run(started.runtime, { onEvent });
    expect(seen).toEqual([true, true]);
    expect(ctx._failedAt).toBeUndefined();
    expect(labelsOf(started)).toEqual(['one', 'judge']);
  });
});

describe('gate', () => {
  it('is not asked about an attempt that failed', async () => {
    let calls = 0;
    const gate = (): boolean => {
      calls += 1;
      return true;
    };
    const facts = { error: 'billing_error', message: 'no credit' };
    const ctx = await run(one({ gate }), life({ facts }));
    expect(calls).toBe(0);
    expect(ctx._failedAt).toBe('one');
  });

  it('is asked once for each attempt, and may be async', async () => {
    const texts: string[] = [];
    const gate = async (result: { text: string }): Promise<boolean> => {
      texts.push(result.text);
      return await Promise.resolve(result.text === 'good');
    };
    await run(one({ gate, retries: 3 }), life('bad', 'good'));
    expect(texts).toEqual(['bad', 'good']);
  });

  it('StepAbort ends the retries and its reason is _aborted', async () => {
    const gate = (): boolean => {
      throw new StepAbort('no network here');
    };
    const started = life('x');
    const ctx = await run(one({ gate, retries: 5 }), started);
    expect(ctx).toMatchObject({ _aborted: 'no network here', _failedAt: 'one' });
    expect(eventsOf(started.events, 'step-end')).toMatchObject([
      { ok: false, error: 'no network here' },
    ]);
  });

  it('StepAbort follows onFail', async () => {
    const gate = (): boolean => {
      throw new StepAbort('useless');
    };
    const ctx = await run(one({ gate, onFail: 'skip' }), life('x'));
    expect(ctx._aborted).toBe('useless');
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx).not.toHaveProperty('one');
  });

  it('another exception goes to the caller and gives the flow back', async () => {
    const place = bench.place();
    const gate = (): boolean => {
      throw new Error('a fault in the gate');
    };
    const first = bench.life(place, ['x']);
    await expect(run(one({ gate }), first)).rejects.toThrow('a fault in the gate');
    expect(eventsOf(first.events, 'run-end')).toMatchObject([{ ok: false }]);
    await first.close();
    const second = bench.life(place, []);
    expect((await run(one({ gate: () => true }), second))['one']).toBe('x');
  });
});

describe('onFail', () => {
  it.each([
    ['stop', { _failedAt: 'one' }, ['one']],
    ['skip', { two: 'b' }, ['one', 'two']],
    ['continue', { one: 'raw', two: 'b' }, ['one', 'two']],
  ] as const)('%s', async (onFail, expected, labels) => {
    const flow = new Workflow([
      new Step('one', agent, 'Do one.', {
        onFail,
        gate: () => false,
        reduce: () => 'reduced',
      }),
      new Step('two', agent, 'Do two.'),
    ]);
    const started = life('raw', 'b');
    const ctx = await run(flow, started);
    expect(ctx).toMatchObject(expected);
    expect('one' in ctx).toBe(onFail === 'continue');
    expect(labelsOf(started)).toEqual(labels);
  });
});

describe('retries', () => {
  it('without onReject each one starts anew and is called #retry, from 1', async () => {
    const started = life('a', 'b', 'c');
    await run(one({ gate: () => false, retries: 2 }), started);
    expect(labelsOf(started)).toEqual(['one', 'one#retry1', 'one#retry2']);
    expect(started.engine.heard).toEqual([
      ['new', 'Do one.'],
      ['new', 'Do one.'],
      ['new', 'Do one.'],
    ]);
    expect(new Set(started.engine.requests.map((it) => it.sessionId)).size).toBe(3);
  });

  it('with onReject each one goes on in the rejected session and is called #round, from 2', async () => {
    const started = life('a', 'b', 'c');
    const onReject = (result: { text: string }): Promise<string> =>
      Promise.resolve(`Not ${result.text}.`);
    await run(one({ gate: () => false, retries: 2, onReject }), started);
    expect(labelsOf(started)).toEqual(['one', 'one#round2', 'one#round3']);
    expect(started.engine.heard).toEqual([
      ['new', 'Do one.'],
      ['prompt', 'Not a.'],
      ['prompt', 'Not b.'],
    ]);
    expect(new Set(started.engine.requests.map((it) => it.sessionId)).size).toBe(1);
  });

  it('an empty objection starts anew', async () => {
    const started = life('a', 'b');
    await run(one({ gate: () => false, retries: 1, onReject: () => '' }), started);
    expect(labelsOf(started)).toEqual(['one', 'one#round2']);
    expect(started.engine.heard[1]).toEqual(['new', 'Do one.']);
  });

  it('an attempt that left no session starts anew', async () => {
    const facts = { error: 'billing_error', message: 'no credit' };
    const started = life({ facts, rows: false }, 'b');
    await run(one({ retries: 1, onReject: () => 'Go on.' }), started);
    expect(started.engine.heard[1]?.[0]).toBe('new');
  });

  it('stop at the first attempt that passes', async () => {
    const started = life('bad', 'good');
    const ctx = await run(one({ gate: ({ text }) => text === 'good', retries: 5 }), started);
    expect(ctx['one']).toBe('good');
    expect(started.engine.unplayed).toBe(0);
  });
});

describe('connections', () => {
  const facts = { error: 'billing_error', message: 'no credit' };
  const two = (options: StepOptions<AnyContext, unknown, unknown>): Workflow =>
    new Workflow([
      new Step('one', agent, 'Do one.'),
      new Step('two', agent, 'Do two.', { resumeFrom: 'one', ...options }),
    ]);

  it('resumeFrom speaks in the session of the earlier step', async () => {
    const started = life('a', 'b');
    const ctx = await run(two({}), started);
    expect(started.engine.heard[1]).toEqual(['prompt', 'Do two.']);
    expect(ctx._sessions['two']).toBe(ctx._sessions['one']);
  });

  it('fork branches it and leaves the original untouched', async () => {
    const started = life('a', 'b');
    const ctx = await run(two({ fork: true }), started);
    const [first, second] = started.engine.requests;
    expect(second).toMatchObject({ start: 'prompt', prompt: 'Do two.' });
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(ctx._sessions['two']).toBe(second?.sessionId);
    expect(await started.engine.rowsOf(first?.sessionId ?? '')).toHaveLength(2);
    expect(await started.engine.rowsOf(second?.sessionId ?? '')).toHaveLength(4);
  });

  it('a plain retry goes back to the declared session', async () => {
    const started = life('a', 'b', 'c');
    await run(two({ fork: true, retries: 1, gate: () => false }), started);
    const [, second, third] = started.engine.requests;
    expect(third?.sessionId).not.toBe(second?.sessionId);
    expect(await started.engine.rowsOf(third?.sessionId ?? '')).toHaveLength(4);
  });

  it.each([
    ['was skipped by when', { when: () => false }, []],
    ['opened no session', { onFail: 'skip' }, [{ facts, rows: false }]],
  ] as const)('resumeFrom a step that %s is an error', async (_, options, script) => {
    const flow = new Workflow([
      new Step('one', agent, 'Do one.', options),
      new Step('two', agent, 'Do two.', { resumeFrom: 'one' }),
    ]);
    const started = life(...script, 'never');
    await expect(run(flow, started)).rejects.toMatchObject({ code: 'resume-from-missing' });
  });
});

describe('when', () => {
  it.each([[() => false], [() => Promise.resolve(false)]])(
    'false: not run, nothing written, told as skipped',
    async (when) => {
      const started = life('b');
      const flow = new Workflow([
        new Step('one', agent, 'Do one.', { when }),
        new Step('two', agent, 'Do two.'),
      ]);
      const ctx = await run(flow, started);
      expect(ctx).not.toHaveProperty('one');
      expect(ctx._results).not.toHaveProperty('one');
      expect(eventsOf(started.events, 'step-skip')).toMatchObject([
        { step: 'one', index: 1, total: 2, reason: 'when' },
      ]);
      expect(eventsOf(started.events, 'step-start')).toMatchObject([
        { step: 'two', index: 2, total: 2, resumed: false, woke: 1 },
      ]);
    },
  );
});

describe('consumers', () => {
  const broken = (): never => {
    throw new Error('view broke');
  };
  /** TypeScript lets an async function stand where nothing is to be returned. */
  const consumers: [string, () => void][] = [
    ['throws', broken],
    ['rejects', async () => await Promise.reject(new Error('view broke'))],
  ];

  it.each(consumers)('one that %s never breaks a run', async (_, onEvent) => {
    const started = life('a');
    const ctx = await one().run(started.runtime, { onEvent, onStep: onEvent });
    expect(ctx['one']).toBe('a');
    expect(eventsOf(started.events, 'alarm')).toMatchObject([
      { code: 'consumer-failed', params: { detail: 'view broke' } },
      { code: 'consumer-failed', params: { detail: 'view broke' } },
    ]);
  });

  it('onStep is called after each step that ran, whatever its outcome', async () => {
    const calls: [string, string, boolean][] = [];
    const flow = new Workflow([
      new Step('one', agent, 'Do one.'),
      new Step('two', agent, 'Do two.', { when: () => false }),
      new Step('three', agent, 'Do three.', { gate: () => false, retries: 1 }),
    ]);
    await flow.run(life('a', 'b', 'c').runtime, {
      onStep: (step, result) => calls.push([step.name, result.step, result.ok]),
    });
    expect(calls).toEqual([
      ['one', 'one', true],
      ['three', 'three#retry1', true],
    ]);
  });

  it('onEvent gets the events of this run only', async () => {
    const place = bench.place();
    const started = bench.life(place, ['a', 'b']);
    const types: string[] = [];
    await one().run(started.runtime, { onEvent: ({ type }) => types.push(type) });
    const seen = [...types];
    await one().run(started.runtime);
    expect(types).toEqual(seen);
    expect(seen[0]).toBe('run-start');
    expect(seen.at(-1)).toBe('run-end');
  });
});

describe('signal', () => {
  it('stops the step that runs; the next run goes on', async () => {
    const place = bench.place();
    const first = bench.life(place, [{ holds: 'prompt' }]);
    const stop = new AbortController();
    const running = one({ onFail: 'skip' }).run(first.runtime, { signal: stop.signal });
    await first.engine.untilHeld();
    stop.abort();
    expect(await running).toMatchObject({ _failedAt: 'one', _aborted: 'stopped' });
    await first.close();
    const second = bench.life(place, ['done']);
    const ctx = await run(one({ onFail: 'skip' }), second);
    expect(ctx['one']).toBe('done');
    expect(second.engine.heard[0]?.[0]).toBe('turn');
  });

  it('does not ask the gate any more; the next run asks it', async () => {
    const place = bench.place();
    const stop = new AbortController();
    const asked: string[] = [];
    const flow = (): Workflow => one({ gate: ({ text }) => asked.push(text) > 0 });
    const first = bench.life(place, ['done'], {
      onEvent: ({ type }) => {
        if (type === 'usage') stop.abort();
      },
    });
    await flow().run(first.runtime, { signal: stop.signal });
    expect(asked).toEqual([]);
    await first.close();
    const second = bench.life(place, []);
    expect((await run(flow(), second))['one']).toBe('done');
    expect(asked).toEqual(['done']);
  });
});

describe('names', () => {
  it.each(['_own', 'a#b', 'a·b', 'a/b', ''])('the step name %j is refused', (name) => {
    expect(() => new Workflow([new Step(name, agent, 'x')])).toThrow(
      expect.objectContaining({ code: 'workflow-invalid' }),
    );
  });

  it.each<[string, Step[], WorkflowOptions]>([
    ['two steps of one name', [new Step('a', agent, 'x'), new Step('a', agent, 'y')], {}],
    [
      'resumeFrom a later step',
      [new Step('a', agent, 'x', { resumeFrom: 'b' }), new Step('b', agent, 'y')],
      {},
    ],
    ['resumeFrom itself', [new Step('a', agent, 'x', { resumeFrom: 'a' })], {}],
    ['negative retries', [new Step('a', agent, 'x', { retries: -1 })], {}],
    ['half retries', [new Step('a', agent, 'x', { retries: 1.5 })], {}],
    ['a blank flow name', [], { name: ' ' }],
  ])('%s is refused', (_, steps, options) => {
    expect(() => new Workflow(steps, options)).toThrow(
      expect.objectContaining({ code: 'workflow-invalid' }),
    );
  });

  it('lineage keys are bare names for an unnamed flow and flow/name for a named one', async () => {
    const place = bench.place();
    const started = bench.life(place, ['a', 'b']);
    const bare = await one().run(started.runtime);
    const named = await Workflow.of('flow').step('one', agent, 'Do it.').run(started.runtime);
    await started.close();
    expect(readRunFile(place, 'lineage.json')).toEqual({
      workspace: place.workspace,
      woke: 2,
      steps: { one: bare._sessions['one'], 'flow/one': named._sessions['one'] },
    });
  });

  it('are told apart by marks, also across copies of the package', () => {
    expect(Workflow.is(Workflow.of('x'))).toBe(true);
    expect(Workflow.is({ steps: [] })).toBe(false);
    expect(StepAbort.is(new StepAbort('x'))).toBe(true);
    expect(StepAbort.is(new Error('x'))).toBe(false);
  });
});
