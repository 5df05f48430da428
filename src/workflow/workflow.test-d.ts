import { z } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { Workflow } from './workflow.ts';

const agent: AgentSpec = { name: 'agent' };

const flow = Workflow.of('typed')
  .step('read', agent, 'Read it.')
  .step('count', agent, (ctx) => `Count ${ctx.read.toUpperCase()}.`, {
    schema: z.object({ words: z.number() }),
    gate: (result, ctx) => (result.output?.words ?? 0) > 0 && ctx.read !== '',
  })
  .step('halve', agent, (ctx) => `Halve ${ctx.count.words.toFixed(0)}.`, {
    reduce: (result) => result.text.length,
    resumeFrom: 'count',
  })
  .step('maybe', agent, 'Perhaps.', { when: (ctx) => ctx.halve > 3 })
  .step('last', agent, (ctx) => `${ctx.halve.toFixed(1)} ${ctx.maybe?.length ?? 0}`);

export async function check(runtime: Parameters<typeof flow.run>[0]): Promise<number> {
  const ctx = await flow.run(runtime);
  const failedAt: string | undefined = ctx._failedAt;
  // @ts-expect-error an optional step may have no value
  const length: number = ctx.maybe.length;
  // @ts-expect-error there is no such key
  const wrong: string = ctx.red;
  return ctx.count.words + ctx.halve + length + wrong.length + (failedAt ?? '').length;
}

// @ts-expect-error no earlier step has this name
Workflow.of('x').step('a', agent, 'A').step('b', agent, 'B', { resumeFrom: 'c' });
// @ts-expect-error the name is taken
Workflow.of('x').step('a', agent, 'A').step('a', agent, 'B');
// @ts-expect-error such keys are flower's
Workflow.of('x').step('_a', agent, 'A');
// @ts-expect-error rows of attempts hold this sign
Workflow.of('x').step('a#b', agent, 'A');
const first = Workflow.of('x').step('a', agent, 'A');
// @ts-expect-error a wrong key in a prompt
first.step('b', agent, (ctx) => `${ctx.c}`);
