// The workflow that `flower demo` runs, kills and wakes. It is copied into the demo's project, so
// `flower run flow.ts:main` there is what you would type yourself.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentSpec, Workflow } from 'flower-agent';

const reader: AgentSpec = {
  name: 'reader',
  instructions: 'You are the reader: you find out what is wanted and answer in one line.',
  allowedTools: ['Read'],
};

const maker: AgentSpec = {
  name: 'maker',
  instructions: 'You are the maker: you write the program and deliver it.',
  allowedTools: ['Read', 'Write', 'Edit', 'Bash'],
};

const checker: AgentSpec = {
  name: 'checker',
  instructions: 'You are the checker: you try the program and repair what is wrong.',
  allowedTools: ['Read', 'Edit', 'Bash'],
};

/** What is wrong with the program, found out by running it; `undefined` when it is right. */
function faultOf(workspace: string): string | undefined {
  const text = readFileSync(join(workspace, 'words.txt'), 'utf8');
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const { status, stdout } = spawnSync('sh', ['tally.sh'], {
    cwd: workspace,
    encoding: 'utf8',
    timeout: 5_000,
  });
  if (status !== 0) return `tally.sh ended with exit code ${status}`;
  const printed = stdout.trim();
  return printed === String(words)
    ? undefined
    : `tally.sh printed ${printed}, but words.txt holds ${words} words`;
}

export const main = Workflow.of('demo')
  .step('read', reader, 'Read README.md and say in one line what tally.sh has to do.')
  .step(
    'make',
    maker,
    (ctx) =>
      `Complete tally.sh: ${ctx.read}\n` +
      'Then start the preview server (node server.mjs) in the background and run sh deliver.sh, ' +
      'which must happen exactly once and takes a minute.',
  )
  .step('verify', checker, 'Run sh tally.sh and say whether it works.', {
    // "It works" is not believed: code runs the program and compares.
    gate: (_result, { _runtime }) => faultOf(_runtime.workspace) === undefined,
    onReject: (_result, { _runtime }) => `${faultOf(_runtime.workspace)}. Repair it.`,
    retries: 2,
  });
