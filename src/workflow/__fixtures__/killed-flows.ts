import { z } from 'zod';
import type { AgentSpec } from '../../claude/agent-spec.ts';
import type { ScriptedSegment } from '../../runtime/scripted-engine.test-support.ts';
import { scriptedModel, scriptedTokens } from '../../runtime/scripted-engine.test-support.ts';
import { Step } from '../step.ts';
import { Workflow } from '../workflow.ts';

const agent: AgentSpec = { name: 'agent' };

/** A flow whose first life is killed where it stays, and the script of that life. */
export interface KilledFlow {
  /** `stay` never resolves in the first life and does nothing in the second. */
  readonly flow: (stay: () => Promise<void>) => Workflow;
  readonly script: readonly (ScriptedSegment | string)[];
}

function one(options: ConstructorParameters<typeof Step>[3] = {}): () => Workflow {
  return () => new Workflow([new Step('one', agent, 'Do one.', options)]);
}

const rejecting = one({
  retries: 1,
  gate: ({ text }) => text === 'good',
  onReject: ({ text }) => `Not ${text}.`,
});

/** What the first life is doing when it is killed. */
export const killedFlows = {
  'before the first record': { flow: one(), script: [{ holds: 'start' }] },
  'when the prompt is on disk': {
    flow: one({ resumePrompt: 'Go on with one.' }),
    script: [{ holds: 'prompt' }],
  },
  'in a tool': { flow: one(), script: [{ says: ['half'], calls: ['Bash'], holds: 'answer' }] },
  'behind a complete answer': {
    flow: one({ gate: ({ text }) => text === 'whole' }),
    script: [{ says: ['whole'], holds: 'answer' }],
  },
  'behind a structured answer': {
    flow: one({ schema: z.object({ words: z.number() }) }),
    script: [{ structured: { words: 7 }, holds: 'answer' }],
  },
  'in a gate': {
    flow: (stay) =>
      new Workflow([
        new Step('one', agent, 'Do one.', {
          gate: async () => {
            await stay();
            return true;
          },
        }),
      ]),
    script: ['whole'],
  },
  'before a round is heard': { flow: rejecting, script: ['bad', { holds: 'start' }] },
  'in a round': { flow: rejecting, script: ['bad', { holds: 'prompt' }] },
  'in the second step': {
    flow: () =>
      new Workflow([
        new Step('one', agent, 'Do one.'),
        new Step('two', agent, (ctx) => `Do two with ${String(ctx['one'])}.`),
      ]),
    script: [
      {
        says: ['seed'],
        costUsd: 0.5,
        modelUsage: { [scriptedModel]: { ...scriptedTokens, costUsd: 0.5 } },
      },
      { says: ['half'], calls: ['Bash'], holds: 'answer' },
    ],
  },
} as const satisfies Record<string, KilledFlow>;

/** Name of a {@link KilledFlow}. */
export type KilledFlowName = keyof typeof killedFlows;

/** Directory of a flow below the root of all of them. */
export function killedFlowDirectory(root: string, name: string): string {
  return `${root}/${name.replaceAll(' ', '-')}`;
}
