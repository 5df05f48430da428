import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  apiError,
  conversationText,
  createTestHome,
  hold,
  type Script,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
  textReply,
  toolReply,
} from '../src/testing/index.ts';
import { type BuiltEnd, builtFlower } from './support/built-command.ts';

const flow = `
import { Workflow } from 'flower-agent';
const spec = { name: 'reader', allowedTools: ['Bash'] };
export const main = Workflow.of('main')
  .step('one', spec, 'Do one.')
  .step('two', spec, (ctx) => 'Do two after: ' + ctx.one);
`;
const secret = 'hunter2-of-the-database';

let api: ScriptedApi;
let home: TestHome;

afterEach(async () => {
  await api.close();
  await home.dispose();
});

async function stage(script: Script): Promise<void> {
  api = await startScriptedApi({ script });
  home = await createTestHome({ api, files: { 'flows.ts': flow } });
}

function flower(args: readonly string[], cwd = home.workspace): Promise<BuiltEnd> {
  const env = { ...home.env, DATABASE_PASSWORD: secret };
  return builtFlower(args, { cwd, env }).ended;
}

/** A run whose second step failed, with a workbench; the second step's agent saw the secret. */
async function unfinishedRun(): Promise<void> {
  await stage([
    textReply('one is done'),
    toolReply({ name: 'Bash', input: { command: `echo ${secret}`, description: 'Look' } }),
    apiError(401, 'authentication_error', 'invalid x-api-key'),
    textReply('two is done'),
  ]);
  expect((await flower(['run', 'flows.ts:main'])).exitCode).toBe(1);
  const notes = join(home.workspace, '.flower', 'notes');
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, 'brief.md'), `# Brief\nThe password is ${secret}.\n`);
  writeFileSync(join(home.workspace, '.flower', 'tool.sh'), 'echo hi\n', { mode: 0o755 });
}

function otherWorkspace(): string {
  const path = join(home.path, 'elsewhere', 'copy');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'flows.ts'), flow);
  return path;
}

function lines(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
}

describe('flower export and flower import', () => {
  it('go on under another path, where the run broke', async () => {
    await unfinishedRun();
    const exported = await flower(['export', 'run.flower']);
    expect([exported.exitCode, exported.stderr]).toEqual([0, '']);
    expect(statSync(join(home.workspace, 'run.flower')).mode & 0o777).toBe(0o600);
    const copy = otherWorkspace();
    const imported = await flower(['import', join(home.workspace, 'run.flower'), '--json'], copy);
    expect([imported.exitCode, imported.stderr]).toEqual([0, '']);
    expect(JSON.parse(imported.stdout)).toMatchObject({
      workspace: copy,
      from: home.workspace,
      sessions: 2,
      redacted: true,
      steps: ['main/one', 'main/two'],
    });
    const status = await flower(['status', '--json'], copy);
    expect(JSON.parse(status.stdout)).toMatchObject({
      exists: true,
      woke: 1,
      lastRun: { outcome: 'unfinished' },
      steps: [
        { state: 'passed', alive: true },
        { state: 'unfinished', alive: true },
      ],
    });

    const again = await flower(['run', 'flows.ts:main'], copy);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('skipped: passed')]);
    const request = api.requests.filter(({ kind }) => kind === 'main').at(-1);
    const heard = request === undefined ? '' : conversationText(request);
    expect(heard).toContain('Do two after: one is done');
    const manifest = readFileSync(join(copy, 'runs', 'manifest.json'), 'utf8');
    expect((JSON.parse(manifest) as { step: string }[]).map(({ step }) => step)).toEqual([
      'one',
      'two',
      'two',
    ]);
    expect(statSync(join(copy, '.flower', 'tool.sh')).mode & 0o100).toBe(0o100);
  });

  it('take a consistent state of a run that is at work, and leave it alone', async () => {
    await stage([textReply('one is done'), hold('h', textReply('late')), textReply('two is done')]);
    const env = { ...home.env, DATABASE_PASSWORD: secret };
    const live = builtFlower(['run', 'flows.ts:main'], { cwd: home.workspace, env });
    await api.waitForHold('h', { timeoutMs: 60_000 });
    expect((await flower(['export', 'run.flower'])).exitCode).toBe(0);
    const copy = otherWorkspace();
    await flower(['import', join(home.workspace, 'run.flower')], copy);
    const status = await flower(['status', '--json'], copy);
    expect(JSON.parse(status.stdout)).toMatchObject({
      lastRun: { outcome: 'unfinished' },
      steps: [{ state: 'passed' }, { state: 'unfinished' }],
    });
    // Waking the copy must not end the agent of the original.
    const woken = await flower(['run', 'flows.ts:main'], copy);
    expect([woken.exitCode, woken.stderr]).toEqual([0, expect.stringContaining('two is done')]);
    api.release('h');
    expect((await live.ended).exitCode).toBe(0);
  });

  it.each([
    ['replaced', [], false],
    ['kept when that is asked for', ['--with-secrets'], true],
  ] as const)('secrets of the environment are %s', async (_what, flags, isKept) => {
    await unfinishedRun();
    await flower(['export', 'run.flower', ...flags]);
    const copy = otherWorkspace();
    await flower(['import', join(home.workspace, 'run.flower')], copy);
    const brief = readFileSync(join(copy, '.flower', 'notes', 'brief.md'), 'utf8');
    expect(brief.includes(secret)).toBe(isKept);
    const text = lines(join(home.workspace, 'run.flower')).join('\n');
    expect(text.includes(secret)).toBe(isKept);
  });

  it('refuse a run directory that holds a history, and a file that is no export', async () => {
    await unfinishedRun();
    await flower(['export', 'run.flower']);
    const taken = await flower(['import', 'run.flower']);
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('already holds')]);
    const foreign = await flower(['export', 'flows.ts']);
    expect(foreign.exitCode).toBe(2);
    expect(readFileSync(join(home.workspace, 'flows.ts'), 'utf8')).toBe(flow);
    expect((await flower(['export', 'run.flower'])).exitCode).toBe(0);
    const nothing = await flower(['export', 'x.flower', '-r', 'nowhere']);
    expect([nothing.exitCode, nothing.stderr]).toEqual([2, expect.stringContaining('no history')]);
    expect(readdirSync(home.workspace)).not.toContain('nowhere');
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ['cut at a line', (bytes: Buffer) => gzipped(unzipped(bytes).slice(0, -1))],
    ['without one row', (bytes: Buffer) => gzipped(withoutRow(unzipped(bytes)))],
    ['no gzip file', () => Buffer.from('hello')],
    ['empty', () => Buffer.alloc(0)],
  ])('leave nothing visible of a file that is %s', async (_what, spoil) => {
    await unfinishedRun();
    await flower(['export', 'run.flower']);
    const copy = otherWorkspace();
    const spoiled = join(home.path, 'spoiled.flower');
    writeFileSync(spoiled, spoil(readFileSync(join(home.workspace, 'run.flower'))));
    const { exitCode, stderr } = await flower(['import', spoiled], copy);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot be used')]);
    expect(readdirSync(copy).sort()).toEqual(['flows.ts', 'runs']);
    expect(readdirSync(join(copy, 'runs'))).not.toContain('sessions.db');
    // The same place takes the whole file afterwards.
    const whole = await flower(['import', join(home.workspace, 'run.flower')], copy);
    expect(whole.exitCode).toBe(0);
  });
});

function unzipped(bytes: Buffer): string[] {
  return gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
}

function gzipped(text: readonly string[]): Buffer {
  return gzipSync(`${text.join('\n')}\n`);
}

function withoutRow(text: readonly string[]): string[] {
  const index = text.findIndex((line) => line.startsWith('{"kind":"row"'));
  return text.filter((_, place) => place !== index);
}
