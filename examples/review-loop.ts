// An agent writes, code checks, a branch of the same conversation reviews, the agent revises.
//
//   flower run review-loop.ts:main
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentSpec, Workflow } from 'flower-agent';
import { z } from 'zod';

const writer: AgentSpec = {
  name: 'writer',
  instructions: 'You write release notes: short, and only what the reader can notice.',
  allowedTools: ['Read', 'Write', 'Edit', 'Glob', 'Grep'],
  permissionMode: 'acceptEdits',
};

// The same role, so that the branch keeps the prompt that it grew up with, but it can only look.
const reviewer: AgentSpec = { ...writer, allowedTools: ['Read', 'Glob', 'Grep'] };

// What the reviewer has to hand in. Claude Code checks it against this schema; `ctx.review` has its
// type.
const review = z.object({
  verdict: z.enum(['ship', 'revise']),
  findings: z.array(z.string()),
});

/** What is wrong with the draft; empty when nothing is. A hard condition costs no token. */
function faultsOf(workspace: string): string[] {
  const path = join(workspace, 'RELEASE.md');
  if (!existsSync(path)) return ['RELEASE.md does not exist.'];
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return [
    ...(lines[0]?.startsWith('# ') === true ? [] : ['The first line is not a "# " heading.']),
    ...(lines.length <= 20 ? [] : [`It has ${lines.length} lines; 20 are allowed.`]),
  ];
}

export const main = Workflow.of('review-loop')
  .step('draft', writer, 'Read CHANGES.txt and write RELEASE.md for users.', {
    gate: (_result, { _runtime }) => faultsOf(_runtime.workspace).length === 0,
    // The objection goes into the same conversation, as `draft#round2`. Without `onReject` the next
    // attempt would start from nothing.
    onReject: (_result, { _runtime }) => faultsOf(_runtime.workspace).join('\n'),
    retries: 2,
  })
  .step('review', reviewer, 'Now judge RELEASE.md as a user would who never saw CHANGES.txt.', {
    // A branch knows everything that the writer did; what it thinks never reaches the writer.
    resumeFrom: 'draft',
    fork: true,
    schema: review,
  })
  .step(
    'revise',
    writer,
    (ctx) => `A reviewer found:\n${ctx.review.findings.join('\n')}\nRevise RELEASE.md.`,
    {
      when: (ctx) => ctx.review.verdict === 'revise',
      resumeFrom: 'draft',
    },
  );
