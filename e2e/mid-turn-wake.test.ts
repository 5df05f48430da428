import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  conversationText,
  hold,
  messageReply,
  textReply,
  toolReply,
} from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';

// One test for each line of what the wake variables of the binary do: they are not documented.

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

const placeholder = 'No response requested';
const wakeText = 'Your last round was cut off half-way';
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Work' } });
const held = () => hold('cut', textReply('Never heard.'));

async function cutAt(flow: string, ready: () => Promise<unknown>): Promise<void> {
  const host = stage.start(flow);
  await ready();
  await stage.kill(host);
}

describe('a wake in the middle of a turn', () => {
  it('cut at the prompt: the same prompt is sent again, once and without a placeholder', async () => {
    stage.say(held());
    await cutAt('work', () => stage.held('cut'));
    stage.say('Done.');

    await stage.run('work');

    expect(stage.requests).toHaveLength(2);
    expect(stage.request(1).messages.map(({ role }) => role)).toEqual(
      stage.request(0).messages.map(({ role }) => role),
    );
    expect(stage.heard(1).split('Do the work.')).toHaveLength(2);
    // The binary adds the wake text or not, by how much of the turn had reached the disk (both seen).
    expect(stage.heard(1).split(wakeText).length).toBeLessThanOrEqual(2);
    expect(stage.heard(1)).not.toContain(placeholder);
  });

  it('cut at a tool result: the result is there, the wake text behind it', async () => {
    stage.say(toolReply(bash('echo 1 >>effects; echo counted')), held());
    await cutAt('work', async () => {
      await stage.held('cut');
      await stage.stored('"content":"counted"');
    });
    stage.say('Done.');

    await stage.run('work');

    expect(stage.requests).toHaveLength(3);
    expect(stage.request(2).toolResults.map(({ text }) => text)).toEqual(['counted']);
    expect(stage.request(2).lastUserText).toContain(wakeText);
    expect(stage.heard(2)).not.toContain(placeholder);
    expect(readFileSync(join(stage.workspace, 'effects'), 'utf8')).toBe('1\n');
  });

  it('cut at parallel calls: what was finished is there, the others are unknown', async () => {
    stage.say(
      toolReply([
        bash('echo first >>effects; echo counted'),
        bash('echo second >>effects; echo 1 >started; sleep 600'),
        bash('echo third >>effects'),
      ]),
    );
    await cutAt('work', async () => {
      await stage.file('started');
      await stage.stored('"content":"counted"');
    });
    stage.say('Done.');

    await stage.run('work');

    const results = stage.request(1).toolResults;
    expect(stage.requests).toHaveLength(2);
    expect(results).toHaveLength(3);
    expect(results[0]?.text).toBe('counted');
    for (const result of results.slice(1)) expect(result.text).toMatch(/outcome is unknown/);
    expect(stage.request(1).lastUserText).toContain(wakeText);
    expect(stage.heard(1)).not.toContain(placeholder);
    expect(readFileSync(join(stage.workspace, 'effects'), 'utf8')).toBe('first\nsecond\n');
  });

  it('cut in a subagent: its call names the agent, and SendMessage goes on with it', async () => {
    const task = { description: 'Dig', prompt: 'Dig here.', subagent_type: 'digger' };
    stage.say(toolReply({ name: 'Agent', input: task }, { text: 'I send the digger.' }));
    stage.saySubagent(
      toolReply(bash('echo stone'), { text: 'I dig.' }),
      toolReply(bash('echo 1 >started; sleep 600')),
    );
    await cutAt('sending', () => stage.file('started'));
    const agentId = stage.api.requests.find(({ kind }) => kind === 'subagent')?.agentId ?? 'none';
    const message = { to: agentId, summary: 'Go on', message: 'Go on digging.' };
    stage.say(toolReply({ name: 'SendMessage', input: message }), 'It is dug.');
    stage.saySubagent('All is dug.');

    const { ctx } = await stage.run('sending');

    const [wake, report] = stage.requests.slice(1);
    expect(wake?.toolResults.at(-1)?.text).toContain(`SendMessage to "${agentId}"`);
    expect(stage.heard(1)).toContain('I send the digger.');
    expect(stage.heard(1)).not.toContain(placeholder);
    const revived = stage.api.requests.filter(({ kind }) => kind === 'subagent').at(-1);
    expect(revived?.agentId).toBe(agentId);
    expect(revived?.tools).toEqual(['Bash']);
    expect(conversationText(revived ?? { messages: [] })).toMatch(/Dig here[^]*I dig[^]*stone/);
    expect(revived?.lastUserText).toContain('Go on digging.');
    expect(report?.toolResults.at(-1)?.text).toContain('All is dug.');
    expect(ctx['lead']).toContain('It is dug.');
  });

  it('a complete turn gets a prompt', async () => {
    stage.say('Bad.', 'Still bad.', 'Bad again.');
    const { ctx } = await stage.run('rounds');
    expect(ctx._failedAt).toBe('work');
    stage.say('It is good.');

    const second = await stage.run('rounds');

    expect(stage.requests).toHaveLength(4);
    expect(stage.request(3).messages.at(-2)?.role).toBe('assistant');
    expect(stage.request(3).lastUserText).toContain(wakeText);
    expect(stage.heard(3)).toContain('Bad again.');
    expect(stage.heard(3)).not.toContain(placeholder);
    expect(second.ctx['work']).toBe('It is good.');
  });

  it('a text that broke off gets a prompt', async () => {
    const broken = messageReply([
      { type: 'text', text: 'I am about to ' },
      { type: 'tool_use', ...bash('echo never') },
    ]);
    // Start, then start, delta and stop of the text: its row is written, the call's is not.
    stage.say(hold('cut', broken, { afterEvents: 4 }));
    const host = stage.start('work');
    await stage.held('cut');
    await host.event('text');
    await stage.kill(host);
    stage.say('Done.');

    const { ctx } = await stage.run('work');

    expect(stage.requests).toHaveLength(2);
    expect(stage.heard(1)).toContain('Do the work.');
    expect(ctx['work']).toContain('Done.');
  });

  it('gets the wake text as a prompt when the binary does not begin, but not when it is slow', async () => {
    await using deaf = await Stage.open();
    // Settings of the project win over the environment: the variables do nothing here.
    mkdirSync(join(deaf.workspace, '.claude'));
    const env = { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '' };
    writeFileSync(join(deaf.workspace, '.claude', 'settings.json'), JSON.stringify({ env }));
    for (const each of [stage, deaf]) {
      each.say(toolReply(bash('echo counted')), held());
      const host = each.start('work');
      await each.held('cut');
      await each.stored('"content":"counted"');
      await each.kill(host);
    }
    stage.say(hold('slow', textReply('Done slowly.')));
    deaf.say('Done.');

    const slow = stage.run('work');
    await stage.held('slow');
    const { ctx } = await deaf.run('work', { runtime: { projectSettings: true } });
    stage.api.release('slow');

    expect(deaf.requests).toHaveLength(3);
    expect(deaf.heard(2)).toContain('counted');
    expect(deaf.request(2).lastUserText).toContain(wakeText);
    expect(deaf.request(2).at - stage.request(2).at).toBeGreaterThan(15_000);
    expect(ctx['work']).toContain('Done.');
    expect((await slow).ctx['work']).toContain('Done slowly.');
    expect(stage.requests).toHaveLength(3);
    expect(stage.heard(2).split(wakeText)).toHaveLength(2);
  });
});
