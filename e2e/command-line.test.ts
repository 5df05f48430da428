import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTestHome,
  hold,
  type Script,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
  textReply,
  thinkingReply,
  toolReply,
} from '../src/testing/index.ts';

const flow = `
import { Workflow } from 'flower-agent';
const spec = { name: 'reader' };
export const main = Workflow.of('main')
  .step('fetch', spec, 'Fetch it.')
  .step('write', spec, (ctx) => 'Write: ' + ctx.fetch);
`;

let api: ScriptedApi;
let home: TestHome;

async function stage(script: Script): Promise<void> {
  api = await startScriptedApi({ script });
  home = await createTestHome({ api, files: { 'flows.ts': flow, 'notes.txt': 'alpha' } });
  const bin = JSON.stringify(join(import.meta.dirname, '../src/cli/bin.ts'));
  const jiti = JSON.stringify(import.meta.resolve('jiti'));
  const options = JSON.stringify({
    fsCache: join(import.meta.dirname, '../node_modules/.cache/jiti'),
  });
  writeFileSync(
    join(home.path, 'flower.mjs'),
    `import { createJiti } from ${jiti};
    await createJiti(${bin}, ${options}).import(${bin});`,
  );
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  readonly ended: Promise<Outcome>;
  kill(signal: NodeJS.Signals): void;
}

function flower(args: readonly string[], input = ''): Call {
  const child = spawn(process.execPath, [join(home.path, 'flower.mjs'), ...args], {
    cwd: home.workspace,
    env: home.env,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdin.end(input);
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
    kill: (signal) => child.kill(signal),
  };
}

afterEach(async () => {
  await api.close();
  await home.dispose();
});

describe('flower run', () => {
  it('runs, tells its status, and goes on in the same sessions', async () => {
    await stage([
      toolReply({ name: 'Read', input: { file_path: 'notes.txt' } }),
      textReply('alpha'),
      textReply('written'),
      textReply('again'),
      textReply('again'),
    ]);
    const nothing = await flower(['status']).ended;
    expect(nothing.stdout).toMatch(/^Nothing to continue: /);
    const first = await flower(['run', 'flows.ts:main']).ended;
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('> Read notes.txt');
    const status = await flower(['status']).ended;
    expect(status.stdout).toMatch(/workflow main: finished\n[^]*main\/fetch +has spoken/);
    const second = await flower(['run', 'flows.ts:main', '--json']).ended;
    const events = second.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events[0]).toMatchObject({ v: 1, type: 'run-start', woke: 2, resumed: true });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', ok: true });
    expect(second.stderr).toContain('== 1/2 fetch == continuing · waking 2 ==');
  });

  it('says who works there and exits 75 when the flow is busy', async () => {
    await stage([hold('h', textReply('late')), textReply('written')]);
    const first = flower(['run', 'flows.ts:main']);
    await api.waitForHold('h', { timeoutMs: 60_000 });
    const second = await flower(['run', 'flows.ts:main']).ended;
    expect(second.code).toBe(75);
    expect(second.stderr).toMatch(/^flower: .*\bmain\b.* is in use by process \d+ since \S+\. /);
    api.release('h');
    expect((await first.ended).code).toBe(0);
  });

  it('ends in good order at the first Ctrl-C', async () => {
    await stage([hold('h', textReply('late'))]);
    const call = flower(['run', 'flows.ts:main']);
    await api.waitForHold('h', { timeoutMs: 60_000 });
    call.kill('SIGINT');
    const { code, stderr } = await call.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Press Ctrl-C again to stop at once.');
    expect(stderr).toContain('record of the run: ');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it with %i and leaves its row', async (signal, exitCode) => {
    await stage([hold('h', textReply('late'))]);
    const call = flower(['run', 'flows.ts:main']);
    await api.waitForHold('h', { timeoutMs: 60_000 });
    call.kill(signal);
    expect((await call.ended).code).toBe(exitCode);
    const { stdout } = await flower(['status', '--json']).ended;
    expect(JSON.parse(stdout)).toMatchObject({ lastRun: { outcome: 'unfinished' } });
  });
});

describe('flower once', () => {
  it('prints the answer, and only that, on stdout', async () => {
    await stage([thinkingReply('hmm', 'The answer\u001b[31m is\t42')]);
    const { code, stdout, stderr } = await flower(['once', '-'], 'What is it?').ended;
    expect([code, stdout]).toEqual([0, 'The answer is\t42\n']);
    expect(stderr).toContain('~ hmm');
    expect(api.requests[0]?.lastUserText).toContain('What is it?');
  });

  it('refuses an unknown session before anything is started', async () => {
    await stage([]);
    const { code, stderr } = await flower(['once', 'x', '--resume', 'nope']).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^flower: No session nope in /);
    expect(api.requests).toHaveLength(0);
  });
});
