// Two steps, each a session of its own; what the first answers is in the prompt of the second.
//
//   flower run notes.ts:main
//
// Kill it whenever you like and run the same line again: a step that is done is not repeated, the
// one that was cut off goes on in its own conversation.
import { type AgentSpec, Workflow } from 'flower-agent';

const reader: AgentSpec = { name: 'reader', instructions: 'Answer in three lines.' };

const writer: AgentSpec = {
  name: 'writer',
  instructions: 'Write plain prose.',
  allowedTools: ['Read', 'Write'],
  permissionMode: 'acceptEdits',
};

export const main = Workflow.of('notes')
  .step('read', reader, 'Read README.md and say what it promises.')
  .step('write', writer, (ctx) => `Write NOTES.md from this:\n\n${ctx.read}`);
