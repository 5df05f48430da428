import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hold, textReply, toolReply } from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Work' } });
const held = (text = 'Never heard.') => hold('cut', textReply(text));

/** How often `text` stands in the conversation of a request. */
function count(heard: string, text: string): number {
  return heard.split(text).length - 1;
}

describe('kill -9 during a tool call', () => {
  const effect = 'echo done >>effects; echo counted';
  const longWork = [
    'setsid sleep 600 & echo $! >session-child',
    'nohup sleep 600 >/dev/null 2>&1 & echo $! >server',
    'echo 1 >started; sleep 600',
  ].join('; ');

  /** Killed with one call finished and one running; `kill` itself sees that no process is left. */
  async function cutInTool(): Promise<string> {
    stage.say(
      toolReply(bash(effect), { text: 'I count first.' }),
      toolReply(bash(longWork), { text: 'Now the long part.' }),
    );
    const host = stage.start('work');
    await stage.file('started');
    const { sessionId } = await host.event('attempt-start');
    await stage.kill(host);
    return sessionId;
  }

  it('leaves no process of the run, and the wake goes on in the same turn', async () => {
    const sessionId = await cutInTool();
    stage.say('All done.');

    const { ctx, events } = await stage.run('work');

    expect(stage.requests).toHaveLength(3);
    const heard = stage.heard(2);
    expect(stage.requests.map((request) => request.sessionId)).toEqual(Array(3).fill(sessionId));
    expect(ctx).toMatchObject({ work: expect.stringContaining('All done.'), _woke: 2 });
    expect(heard).toContain('I count first.');
    expect(heard).toContain('counted');
    expect(heard).toContain('Now the long part.');
    expect(heard).not.toContain('No response requested');
    expect(heard).not.toMatch(/API Error|killed-by-signal/);
    expect(stage.request(2).toolResults.at(-1)?.text).toContain('outcome is unknown');
    expect(readFileSync(join(stage.workspace, 'effects'), 'utf8')).toBe('done\n');
    expect(events.some(({ type }) => type === 'alarm')).toBe(false);
  });

  it('gives the killed segment its row with exact tokens, and counts nothing twice', async () => {
    const sessionId = await cutInTool();
    stage.say('All done.');

    await stage.run('work');

    const [killed, resumed] = stage.manifest();
    expect(stage.rows()).toEqual(['work killed-by-signal', 'work ok']);
    expect(killed).toMatchObject({
      session_id: sessionId,
      tokens: { input_tokens: 200, output_tokens: 40 },
    });
    expect(resumed).toMatchObject({
      session_id: sessionId,
      resumed: true,
      tokens: { input_tokens: 100, output_tokens: 20 },
      unpriced_tokens: 0,
    });
    // No rate was known when the row of the killed segment was closed.
    expect(killed).toMatchObject({ cost_usd: 0, unpriced_tokens: 240 });
    expect(new Set(stage.manifest().map((row) => row.run)).size).toBe(2);
  });

  it('prices the killed segment at the rate of earlier ones', async () => {
    stage.say('Done at once.');
    await stage.run('work');
    const unit = stage.manifest()[0]?.cost_usd ?? 0;
    await cutInTool();
    stage.say('All done.');

    await stage.run('work');

    const costs = stage.manifest().map((row) => row.cost_usd / unit);
    expect(unit).toBeGreaterThan(0);
    expect(costs[0]).toBeCloseTo(1);
    expect(costs[1]).toBeCloseTo(2);
    expect(costs[2]).toBeCloseTo(1);
  });
});

describe('kill -9 of a workflow', () => {
  it('before the first answer: the same prompt is sent again in the same session', async () => {
    stage.say(held());
    const host = stage.start('pair');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('One is done.', 'Two is done.');

    const { ctx } = await stage.run('pair');

    expect(stage.requests).toHaveLength(3);
    expect(stage.request(1).sessionId).toBe(stage.request(0).sessionId);
    expect(count(stage.heard(1), 'Do one.')).toBe(1);
    expect(stage.heard(1)).not.toContain('No response requested');
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(stage.rows()).toEqual(['one killed-by-signal', 'one ok', 'two ok']);
  });

  it('between two steps: the first stays passed and its value comes back', async () => {
    stage.say('One is done.');
    const host = stage.start('between');
    await stage.signal('between');
    await stage.kill(host);
    stage.letGo('between');
    stage.say('Two is done.');

    const { ctx, events } = await stage.run('between');

    expect(stage.requests).toHaveLength(2);
    expect(stage.request(1).lastUserText).toContain('Do two after: One is done.');
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.', _woke: 2 });
    expect(ctx._sessions['one']).toBe(stage.request(0).sessionId);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'step-skip', step: 'one', reason: 'already-passed' }),
    );
    expect(stage.rows()).toEqual(['one ok', 'two ok']);
  });

  it('in the second step: the first is not run again, the second goes on where it broke', async () => {
    stage.say('One is done.', held());
    const host = stage.start('pair');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('Two is done.');

    const { ctx } = await stage.run('pair');

    expect(stage.requests).toHaveLength(3);
    expect(stage.request(2).sessionId).toBe(stage.request(1).sessionId);
    expect(count(stage.heard(2), 'Do two after: One is done.')).toBe(1);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(stage.rows()).toEqual(['one ok', 'two killed-by-signal', 'two ok']);
  });

  it('between a result and its gate: the gate gets the stored result, nothing is asked', async () => {
    stage.say('One is done.');
    const host = stage.start('gated');
    await stage.signal('gate');
    await stage.kill(host);
    stage.letGo('gate');
    stage.say('Two is done.');

    const { ctx } = await stage.run('gated');

    expect(stage.requests).toHaveLength(2);
    expect(stage.request(1).lastUserText).toContain('Do two after: One is done.');
    expect(ctx).toMatchObject({ one: 'One is done.', seen: { text: 'One is done.', cost: true } });
    expect(stage.rows()).toEqual(['one ok', 'two ok']);
  });

  it('in the second step: keys that a gate had set come back', async () => {
    stage.letGo('gate');
    stage.say('One is done.', held());
    const host = stage.start('gated');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('Two is done.');

    const { ctx } = await stage.run('gated');

    expect(stage.requests).toHaveLength(3);
    expect(ctx['seen']).toEqual({ text: 'One is done.', cost: true });
  });

  it('between an answer and its result: the gate gets what the rows say, nothing is asked', async () => {
    stage.say('One is done.');
    const host = stage.start('stopping');
    await stage.signal('stop');
    // The hook can be faster than the answer's row: only a row on disk can be judged.
    await stage.stored('One is done.');
    await stage.kill(host);
    stage.letGo('stop');

    const { ctx } = await stage.run('stopping');

    expect(stage.requests).toHaveLength(1);
    expect(ctx).toMatchObject({ one: 'One is done.', _woke: 2 });
    expect(ctx._sessions['one']).toBe(stage.request(0).sessionId);
    expect(stage.rows()).toEqual(['one killed-by-signal', 'one ok']);
    expect(stage.manifest().map((row) => row.tokens.input_tokens)).toEqual([100, 0]);
  });

  it('during #retry1: the retry goes on in its own session under its own label', async () => {
    stage.say('It is bad.', held());
    const host = stage.start('retrying');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('It is good.');

    const { ctx } = await stage.run('retrying');

    const [first, second, third] = stage.requests.map((request) => request.sessionId);
    expect(stage.requests).toHaveLength(3);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    expect(stage.heard(2)).not.toContain('It is bad.');
    expect(count(stage.heard(2), 'Do the work.')).toBe(1);
    expect(stage.rows()).toEqual(['work ok', 'work#retry1 killed-by-signal', 'work#retry1 ok']);
    expect(ctx).toMatchObject({ work: 'It is good.', _sessions: { work: second } });
    expect(stage.lineage()?.steps).toEqual({ 'retrying/work': second });
  });

  it('during #round2: the rejected session goes on, the objection is said once', async () => {
    stage.say('It is bad.', held());
    const host = stage.start('rounds');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('It is good.');

    const { ctx } = await stage.run('rounds');

    expect(stage.requests).toHaveLength(3);
    expect(new Set(stage.requests.map((request) => request.sessionId)).size).toBe(1);
    expect(stage.heard(2)).toContain('It is bad.');
    expect(count(stage.heard(2), 'Not good: It is bad.')).toBe(1);
    expect(stage.rows()).toEqual(['work ok', 'work#round2 killed-by-signal', 'work#round2 ok']);
    expect(ctx['work']).toBe('It is good.');
  });

  it('during a fork: the branch goes on by itself, the original stays untouched', async () => {
    stage.say('One is done.', held());
    const host = stage.start('forking');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('Two is done.');

    const { ctx } = await stage.run('forking');

    expect(stage.requests).toHaveLength(3);
    expect(stage.request(1).sessionId).not.toBe(stage.request(0).sessionId);
    expect(stage.request(2).sessionId).toBe(stage.request(1).sessionId);
    expect(stage.heard(2)).toContain('One is done.');
    expect(count(stage.heard(2), 'Do two.')).toBe(1);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(ctx._sessions).toEqual({
      one: stage.request(0).sessionId,
      two: stage.request(1).sessionId,
    });
    expect(stage.rows()).toEqual(['one ok', 'two killed-by-signal', 'two ok']);
  });

  it('during a resumeFrom: the shared session goes on, its first step stays passed', async () => {
    stage.say('One is done.', held());
    const host = stage.start('following');
    await stage.held('cut');
    await stage.kill(host);
    stage.say('Two is done.');

    const { ctx } = await stage.run('following');

    expect(stage.requests).toHaveLength(3);
    expect(new Set(stage.requests.map((request) => request.sessionId)).size).toBe(1);
    expect(count(stage.heard(2), 'Do one.')).toBe(1);
    expect(count(stage.heard(2), 'Do two.')).toBe(1);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(stage.rows()).toEqual(['one ok', 'two killed-by-signal', 'two ok']);
  });

  it('twice in the same place: the third process still finds the session', async () => {
    stage.say(held());
    const first = stage.start('pair');
    await stage.held('cut');
    await stage.kill(first);
    stage.say(hold('cut again', textReply('Never heard.')));
    const second = stage.start('pair');
    await stage.held('cut again');
    await stage.kill(second);
    stage.say('One is done.', 'Two is done.');

    const { ctx } = await stage.run('pair');

    expect(ctx._woke).toBe(3);
    expect(new Set(stage.requests.slice(0, 3).map((request) => request.sessionId)).size).toBe(1);
    expect(count(stage.heard(2), 'Do one.')).toBe(1);
    expect(stage.rows()).toEqual([
      'one killed-by-signal',
      'one killed-by-signal',
      'one ok',
      'two ok',
    ]);
  });

  it('on the wake itself, before it spoke: the next wake goes on in the turn all the same', async () => {
    stage.say(held());
    const first = stage.start('pair');
    await stage.held('cut');
    await stage.kill(first);
    const second = stage.start('pair');
    await stage.begun(second);
    await stage.kill(second);
    stage.say('One is done.', 'Two is done.');

    const { ctx } = await stage.run('pair');

    expect(stage.requests).toHaveLength(3);
    expect(stage.request(1).sessionId).toBe(stage.request(0).sessionId);
    expect(count(stage.heard(1), 'Do one.')).toBe(1);
    expect(stage.heard(1)).not.toContain('No response requested');
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.', _woke: 3 });
  });

  it('before the agent has spoken: the session that was chosen for it is opened', async () => {
    const host = stage.start('pair');
    const sessionId = await stage.until('the chosen session', () => stage.chosen('pair/one'));
    await stage.kill(host);
    stage.say('One is done.', 'Two is done.');

    const { ctx } = await stage.run('pair');

    expect(ctx._sessions['one']).toBe(sessionId);
    expect(count(stage.heard(-2), 'Do one.')).toBe(1);
  });
});

describe('a step that had passed before the kill runs again', () => {
  async function cutInTwo(flow: string, variant?: string): Promise<void> {
    stage.say('One is done.', held());
    const host = stage.start(flow, variant === undefined ? {} : { variant });
    await stage.held('cut');
    await stage.kill(host);
    stage.say('One again.', 'Two is done.');
  }

  it('when its value is nothing that JSON can hold', async () => {
    await cutInTwo('unstorable');

    await stage.run('unstorable');

    expect(stage.requests).toHaveLength(4);
    expect(stage.request(2).sessionId).toBe(stage.request(0).sessionId);
    expect(stage.request(3).sessionId).toBe(stage.request(1).sessionId);
    expect(stage.rows()).toEqual(['one ok', 'two killed-by-signal', 'one ok', 'two ok']);
  });

  it('when its definition changed, with its own prompt', async () => {
    await cutInTwo('changing', 'Be brief.');

    const { ctx } = await stage.run('changing', { variant: 'Be long.' });

    expect(stage.requests).toHaveLength(4);
    expect(stage.request(2).sessionId).toBe(stage.request(0).sessionId);
    expect(stage.request(2).system).toContain('Be long.');
    expect(stage.request(2).lastUserText).toContain('Do one.');
    expect(ctx).toMatchObject({ one: 'One again.', two: 'Two is done.' });
  });

  it('when it says so', async () => {
    await cutInTwo('rerunning');

    const { ctx } = await stage.run('rerunning');

    expect(stage.requests).toHaveLength(4);
    expect(ctx).toMatchObject({ one: 'One again.', two: 'Two is done.' });
  });

  it('when the workflow is not continuous: everything begins anew and no lineage is kept', async () => {
    await cutInTwo('forgetful');

    const { ctx } = await stage.run('forgetful');

    expect(stage.requests).toHaveLength(4);
    expect(new Set(stage.requests.map((request) => request.sessionId)).size).toBe(4);
    expect(stage.heard(2)).not.toContain('One is done.');
    expect(ctx).toMatchObject({ one: 'One again.', _woke: 1 });
    expect(existsSync(join(stage.runDir, 'lineage.json'))).toBe(false);
  });
});
