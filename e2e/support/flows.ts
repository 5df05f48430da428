// The flows that the end-to-end tests run in processes of their own.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentSpec, type Runtime, Step, Workflow } from '../../src/index.ts';

const signals = process.env['STAGE_SIGNALS'] ?? '';
const variant = process.env['STAGE_VARIANT'] ?? '';

/** Says that a place was reached and stays there until the test lets it go. */
async function stayAt(name: string): Promise<true> {
  writeFileSync(join(signals, name), '');
  while (!existsSync(join(signals, `${name}.go`))) await delay(10);
  return true;
}

const reader: AgentSpec = { name: 'reader' };
const doer: AgentSpec = { name: 'doer', allowedTools: ['Bash', 'Read'] };

export const pair = Workflow.of('pair')
  .step('one', reader, 'Do one.')
  .step('two', reader, (ctx) => `Do two after: ${ctx.one}`, { resumePrompt: 'Two, once more.' });

/** Another flow in the same directory. */
export const other = Workflow.of('other').step('one', reader, 'Do the other one.');

/** The seeds' array form: keys of the lineage are bare step names. */
export const unnamed = new Workflow([new Step('one', reader, 'Do one.')]);

export const work = Workflow.of('work').step('work', doer, 'Do the work.');

/** Stays between its steps. */
export const between = Workflow.of('between')
  .step('one', reader, 'Do one.')
  .step('two', reader, (ctx) => `Do two after: ${ctx.one}`, { when: () => stayAt('between') });

/** Stays in its gate, and writes a key of its own there. */
export const gated = Workflow.of('gated')
  .step('one', reader, 'Do one.', {
    gate: async (result, ctx) => {
      Object.assign(ctx, { seen: { text: result.text, cost: result.costUsd > 0 } });
      return await stayAt('gate');
    },
  })
  .step('two', reader, (ctx) => `Do two after: ${ctx.one}`);

/** The answer is complete when its process stays in a Stop hook. */
export const stopping = Workflow.of('stopping').step(
  'one',
  {
    ...reader,
    hooks: { Stop: [{ hooks: [async () => ((await stayAt('stop')) ? {} : {})] }] },
  },
  'Do one.',
);

/** Accepts the second answer only, from a new session. */
export const retrying = Workflow.of('retrying').step('work', reader, 'Do the work.', {
  retries: 2,
  gate: (result) => result.text.includes('good'),
});

/** Accepts the second answer only, in the same session. */
export const rounds = Workflow.of('rounds').step('work', reader, 'Do the work.', {
  retries: 2,
  gate: (result) => result.text.includes('good'),
  onReject: (result) => `Not good: ${result.text}`,
});

export const forking = Workflow.of('forking')
  .step('one', reader, 'Do one.')
  .step('two', reader, 'Do two.', { resumeFrom: 'one', fork: true });

export const following = Workflow.of('following')
  .step('one', reader, 'Do one.')
  .step('two', reader, 'Do two.', { resumeFrom: 'one' });

/** A value that JSON cannot hold. */
export const unstorable = Workflow.of('unstorable')
  .step('one', reader, 'Do one.', { reduce: () => new Map([['a', 1]]) })
  .step('two', reader, 'Do two.');

/** Its first step is another one under another variant. */
export const changing = Workflow.of('changing')
  .step('one', { ...reader, instructions: variant }, 'Do one.')
  .step('two', reader, 'Do two.');

export const rerunning = Workflow.of('rerunning')
  .step('one', reader, 'Do one.', { rerun: true })
  .step('two', reader, 'Do two.');

export const forgetful = Workflow.of('forgetful', { continuous: false })
  .step('one', reader, 'Do one.')
  .step('two', reader, 'Do two.');

/** Sends a subagent. */
export const sending = Workflow.of('sending').step(
  'lead',
  {
    name: 'lead',
    allowedTools: ['Agent', 'SendMessage', 'Bash'],
    agents: {
      digger: {
        description: 'Digs.',
        prompt: 'You are the digger.',
        tools: ['Bash'],
      },
    },
  },
  'Have it dug.',
);

/** One agent without a workflow. */
export async function single(runtime: Runtime): Promise<object> {
  const result = await runtime.run(reader, 'Say your number.');
  if (!result.ok) throw new Error(result.error ?? 'The agent failed.');
  return { text: result.text };
}

/** Three steps with several tool calls each, for the torture run. */
export const torture = Workflow.of('torture')
  .step('alpha', doer, 'Do alpha.')
  .step('beta', doer, (ctx) => `Do beta after: ${ctx.alpha}`)
  .step('gamma', doer, 'Do gamma.', { resumeFrom: 'beta' });

/** Resumes the session whose id is the variant. */
export async function resuming(runtime: Runtime): Promise<object> {
  const result = await runtime.run(reader, 'Go on.', { resume: variant });
  return { text: result.text };
}
