import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
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
import { type BuiltCall, type BuiltEnd, builtFlower } from './support/built-command.ts';
import { plainClaude } from './support/plain-claude.ts';
import { storedRows } from './support/stored-rows.ts';

const flow = `
import { Step, Workflow } from 'flower-agent';
const spec = { name: 'worker' };
export const plain = new Workflow([new Step('work', spec, 'Do the work.')]);
export const named = Workflow.of('named').step('one', spec, 'Do one.').step('two', spec, 'Do two.');
`;

let api: ScriptedApi;
let home: TestHome;
const calls: BuiltCall[] = [];

afterEach(async () => {
  for (const call of calls.splice(0)) {
    call.kill('SIGTERM');
    await call.ended;
  }
  await api.close();
  await home.dispose();
});

async function stage(script: Script): Promise<void> {
  api = await startScriptedApi({ script });
  home = await createTestHome({ api, files: { 'flows.ts': flow } });
}

function start(args: readonly string[], cwd = home.workspace): BuiltCall {
  const call = builtFlower(args, { cwd, env: home.env });
  calls.push(call);
  return call;
}

function flower(args: readonly string[], cwd?: string): Promise<BuiltEnd> {
  return start(args, cwd).ended;
}

/** What `flower <args> --json` said. */
async function told(args: readonly string[], cwd?: string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await flower([...args, '--json'], cwd);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function talk(prompt: string, flags: readonly string[] = []): Promise<void> {
  const env = { ...home.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };
  const { exitCode, stdout } = await plainClaude(prompt, { cwd: home.workspace, env }, flags);
  expect([exitCode, stdout]).toEqual([0, expect.any(String)]);
}

/** Claude Code's own file of a session of the workspace. */
function ownFile(sessionId: string): string {
  const projects = join(home.configDir, 'projects');
  const name = readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`${sessionId}.jsonl`),
  );
  return join(projects, name ?? '');
}

function lastHeard(): string {
  const request = api.requests.filter(({ kind }) => kind === 'main').at(-1);
  return request === undefined ? '' : conversationText(request);
}

describe('flower adopt', () => {
  it('makes the newest conversation the session of a step, and the step goes on in it', async () => {
    await stage([textReply('old'), textReply('noted'), textReply('worked')]);
    await talk('An older matter.');
    await talk('Remember the word zebra.');
    const adopted = await told(['adopt', '--last']);
    const sessionId = String(adopted['sessionId']);
    const before = readFileSync(ownFile(sessionId));
    expect(adopted).toMatchObject({ step: 'work', source: ownFile(sessionId), replaced: null });
    expect(adopted['rows']).toBe(adopted['added']);
    expect(await told(['adopt', '--last'])).toMatchObject({ sessionId, added: 0 });
    expect(readFileSync(ownFile(sessionId)).equals(before)).toBe(true);

    expect((await flower(['run', 'flows.ts:plain'])).exitCode).toBe(0);
    expect(lastHeard()).toMatch(/Remember the word zebra\.[^]*noted[^]*Do the work\./);
    expect(lastHeard()).not.toContain('older matter');
    const status = await told(['status']);
    expect(status['steps']).toMatchObject([{ step: 'work', sessionId }]);
    // Claude Code has written its own file since; the copy is what the person had.
    expect(readFileSync(String(adopted['original'])).equals(before)).toBe(true);
    // And what the step added is no reason to take anything in again, or to copy it.
    expect(await told(['adopt', sessionId])).toMatchObject({ added: 0 });
    expect(readFileSync(String(adopted['original'])).equals(before)).toBe(true);
  });

  it('takes rows that the person adds before the step runs', async () => {
    await stage([textReply('noted'), textReply('noted too'), textReply('worked')]);
    await talk('Remember zebra.');
    await told(['adopt', '--last']);
    await talk('Remember giraffe.', ['--continue']);
    expect((await flower(['run', 'flows.ts:plain'])).exitCode).toBe(0);
    expect(lastHeard()).toMatch(/zebra[^]*giraffe[^]*Do the work\./);
  });

  it('lists the conversations when the choice is not clear', async () => {
    await stage([textReply('a'), textReply('b')]);
    await talk('First matter.');
    await talk('Second matter.');
    const { exitCode, stdout, stderr } = await flower(['adopt']);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/Second matter\.[^]*First matter\./);
    expect(stderr).toContain('--last');
    expect(readdirSync(home.workspace)).not.toContain('runs');
  });

  it('does not offer sessions that flower itself began', async () => {
    await stage([textReply('mine'), textReply('worked')]);
    await talk('A plain matter.');
    await flower(['run', 'flows.ts:plain']);
    const adopted = await told(['adopt', '--last', '--step', 'named/two']);
    const rows = storedRows(join(home.workspace, 'runs')).filter((row) =>
      row.includes(String(adopted['sessionId'])),
    );
    expect(rows.join()).toContain('A plain matter.');
  });

  it('serves a step of a named workflow, in place of its earlier session', async () => {
    await stage([
      textReply('one'),
      textReply('two'),
      textReply('noted'),
      textReply('1'),
      textReply('2'),
    ]);
    await flower(['run', 'flows.ts:named']);
    await talk('Remember zebra.');
    const adopted = await told(['adopt', '--last', '--step', 'named/two']);
    expect(adopted['replaced']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await flower(['run', 'flows.ts:named'])).exitCode).toBe(0);
    expect(lastHeard()).toMatch(/zebra[^]*Do two\./);
  });

  it('takes a file of another directory in under a new id, and leaves the file alone', async () => {
    await stage([textReply('noted'), textReply('worked')]);
    await talk('Remember zebra.');
    const { sessionId: original } = await told(['adopt', '--last']);
    const file = ownFile(String(original));
    const before = readFileSync(file);
    const other = join(home.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'flows.ts'), flow);
    const first = await told(['adopt', file], other);
    const second = await told(['adopt', file], other);
    expect(first['sessionId']).not.toBe(original);
    expect(second).toMatchObject({ sessionId: first['sessionId'], added: 0 });
    expect((await flower(['run', 'flows.ts:plain'], other)).exitCode).toBe(0);
    expect(lastHeard()).toMatch(/zebra[^]*noted[^]*Do the work\./);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('takes the subagents along', async () => {
    const input = { description: 'Dig', prompt: 'Dig.', subagent_type: 'general-purpose' };
    const main = [toolReply({ name: 'Agent', input }), textReply('dug')];
    await stage(({ kind }) => (kind === 'subagent' ? textReply('found a bone') : main.shift()));
    await talk('Have it dug.', ['--allowedTools', 'Agent']);
    expect(await told(['adopt', '--last'])).toMatchObject({ subagents: 1 });
    const { exitCode, stdout } = await flower(['log', 'work']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /> Agent Dig\n {2}\| -- subagent general-purpose\n[^]* {2}\| found a bone\n/,
    );
  });

  it('is refused while the workflow runs, and changes nothing', async () => {
    await stage([textReply('noted'), hold('h', textReply('late'))]);
    await talk('Remember zebra.');
    const run = start(['run', 'flows.ts:plain']);
    await api.waitForHold('h', { timeoutMs: 60_000 });
    const { exitCode, stderr } = await flower(['adopt', '--last']);
    expect(exitCode).toBe(75);
    expect(stderr).toContain('in use by process');
    api.release('h');
    expect((await run.ended).exitCode).toBe(0);
    expect(storedRows(join(home.workspace, 'runs')).join()).not.toContain('zebra');
  });

  it.each([
    ['an unknown session', ['adopt', '0b1c0000-0000-4000-8000-000000000000'], /No conversation/],
    ['a file without messages', ['adopt', 'empty.jsonl'], /No conversation empty\.jsonl/],
    ['two sources', ['adopt', 'empty.jsonl', '--last'], /--last/],
    ['an impossible step', ['adopt', '--last', '--step', 'a#b'], /--step/],
    ['no conversation at all', ['adopt', '--last'], /keeps no conversation/],
  ])('refuses %s', async (_what, args, message) => {
    await stage([]);
    appendFileSync(join(home.workspace, 'empty.jsonl'), '{"type":"mode"}\n');
    const { exitCode, stderr } = await flower(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
