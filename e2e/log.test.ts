import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVirtualScreen } from '../src/cli/terminal/virtual-screen.test-support.ts';
import {
  createTestHome,
  type Script,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
  textReply,
  toolReply,
} from '../src/testing/index.ts';
import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { parseTranscript } from '../src/transcript/parse-lines.ts';
import { shapeTranscript } from '../src/transcript/shape.ts';
import { type BuiltEnd, builtFlower } from './support/built-command.ts';

const flow = `
import { Workflow } from 'flower-agent';
const spec = { name: 'worker', allowedTools: ['Bash'] };
export const main = Workflow.of('main').step('work', spec, 'Work.').step('tell', spec, 'Tell.');
`;
const commit =
  'echo two >> a.txt && git -c user.name=t -c user.email=t@example.org commit -qam second';
const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const fixtures = fileURLToPath(new URL('../src/transcript/fixtures/', import.meta.url));

let api: ScriptedApi;
let home: TestHome;

async function stage(script: Script): Promise<void> {
  api = await startScriptedApi({ script });
  home = await createTestHome({ api, files: { 'flows.ts': flow, 'a.txt': 'one\n' } });
}

afterEach(async () => {
  await api.close();
  await home.dispose();
});

function flower(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltEnd> {
  return builtFlower(args, { cwd: home.workspace, env: { ...home.env, ...env } }).ended;
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...identity, '-C', home.workspace, ...args], {
    encoding: 'utf8',
  }).trim();
}

/** A run in a repository: its first step commits, its second one leaves a file changed. */
async function ranInRepository(): Promise<void> {
  await stage([
    toolReply({ name: 'Bash', input: { command: commit, description: 'Commit' } }),
    textReply('committed \u001b[31mred'),
    toolReply({ name: 'Bash', input: { command: 'echo three >> a.txt', description: 'Leave' } }),
    textReply('told'),
  ]);
  git('init', '-q', '-b', 'main');
  git('add', 'a.txt');
  git('commit', '-q', '-m', 'first');
  const { exitCode, stderr } = await flower(['run', 'flows.ts:main']);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
}

describe('flower log', () => {
  it('shows what each step changed in git, and spends nothing', async () => {
    await ranInRepository();
    const [first, second] = [git('rev-parse', 'HEAD~1'), git('rev-parse', 'HEAD')];
    const spent = api.requests.length;
    const { stdout } = await flower(['log', '--json']);
    const attempts = (JSON.parse(stdout) as { runs: { attempts: unknown[] }[] }).runs[0]?.attempts;
    expect(attempts).toMatchObject([
      {
        step: 'work',
        verdict: 'ok',
        git: { before: first, after: second, diffstat: { files: 1, insertions: 1, deletions: 0 } },
      },
      { step: 'tell', git: { before: second, after: second, uncommitted: { insertions: 1 } } },
    ]);
    const manifest = readFileSync(join(home.workspace, 'runs', 'manifest.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject([
      { step: 'work', git: { before: first, after: second } },
      { step: 'tell' },
    ]);
    const text = await flower(['log']);
    expect(text.stdout).toMatch(/work +ok .*\n +git [0-9a-f]{8} -> [0-9a-f]{8}: 1 file, \+1 -0\n/);
    const page = await flower(['log', 'work']);
    expect(page.stdout).toContain('> Bash echo two');
    expect(page.stdout).toContain('committed red');
    expect(api.requests).toHaveLength(spent);
  });

  it('fits into a narrow terminal, and pages a transcript there alone', async () => {
    await ranInRepository();
    const env = { ...home.env, PAGER: 'sed s/^/paged:/' };
    const open = (args: readonly string[]): ReturnType<typeof openVirtualScreen> =>
      openVirtualScreen(bin, { columns: 60, env, args, cwd: home.workspace });
    const history = open(['log']);
    expect(await history.exited).toBe(0);
    await history.waitFor('total');
    // A line that was too wide would have been broken by the terminal: the next one not indented.
    expect(history.lines().filter((line) => /^\S/.test(line)).length).toBeLessThanOrEqual(4);
    const transcript = open(['log', 'work']);
    await transcript.waitFor('paged:-- assistant');
    expect(await transcript.exited).toBe(0);
    expect((await flower(['log', 'work'], { PAGER: env.PAGER })).stdout).not.toContain('paged:');
  });

  it('prints the transcript when there is no pager', async () => {
    await ranInRepository();
    const env = { ...home.env, PAGER: 'no-such-pager-here' };
    const args = ['log', 'work'];
    const screen = openVirtualScreen(bin, { columns: 80, env, args, cwd: home.workspace });
    await screen.waitFor('-- assistant');
    expect(await screen.exited).toBe(0);
  });

  it('makes nothing where nothing is', async () => {
    await stage([]);
    const { exitCode, stdout } = await flower(['log']);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^No history in /)]);
    expect((await flower(['log', 'work'])).exitCode).toBe(2);
    expect((await flower(['transcript', 'check', 'work'])).exitCode).toBe(2);
    expect(readdirSync(home.workspace).sort()).toEqual(['a.txt', 'flows.ts']);
  });
});

describe('flower transcript check', () => {
  let empty: string;
  beforeEach(async () => {
    await stage([]);
    empty = mkdtempSync(join(tmpdir(), 'flower-test-'));
  });
  afterEach(() => rmSync(empty, { recursive: true, force: true }));

  function check(path: string, args: readonly string[] = []): Promise<BuiltEnd> {
    const env = home.env;
    return builtFlower(['transcript', 'check', path, ...args], { cwd: empty, env }).ended;
  }

  it.each([
    '01-dangling-parent.jsonl',
    '07-truncated-last-line.jsonl',
    '12-lone-surrogate.jsonl',
    '17-api-error-leaf.jsonl',
    '23-compact-preserved-denial.jsonl',
    '35-interrupt-markers.jsonl',
    '41-inline-sidechain.jsonl',
    '45-second-half-only.jsonl',
  ])('tells of %s what load() would return', async (name) => {
    const { exitCode, stdout, stderr } = await check(join(fixtures, name), ['--json']);
    const { entries, damaged } = parseTranscript(readFileSync(join(fixtures, name)));
    const shaped = shapeTranscript(entries);
    const pieces = Array.from({ length: damaged }, () => ({ uuid: null, why: 'damaged' }));
    const expected = { ...shaped, dropped: [...pieces, ...shaped.dropped] };
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
    expect([exitCode, stderr]).toEqual([shaped.safe ? 0 : 1, '']);
    expect(existsSync(join(empty, 'runs'))).toBe(false);
  });

  it('says in words what is left out, what is repaired, and whether it is safe', async () => {
    const error = await check(join(fixtures, '17-api-error-leaf.jsonl'));
    expect(error.stdout).toMatch(
      /left out: report of a failed request \(1\)\n {2}f10e[^]*Safe to resume/,
    );
    const half = await check(join(fixtures, '45-second-half-only.jsonl'));
    expect([half.exitCode, half.stdout]).toEqual([1, expect.stringContaining('NOT safe')]);
  });

  it('checks a session as its next resume would find it', async () => {
    await api.close();
    await home.dispose();
    await stage([textReply('a'), textReply('b')]);
    await flower(['run', 'flows.ts:main']);
    const { stdout } = await flower(['transcript', 'check', 'tell', '--json']);
    const { entries, safe } = JSON.parse(stdout) as { entries: TranscriptEntry[]; safe: boolean };
    expect(safe).toBe(true);
    expect(entries.map(({ type }) => type)).toContain('assistant');
    expect(entries.map(({ type }) => type)).not.toContain('cost-state');
  });

  it('refuses a file that is not there', async () => {
    writeFileSync(join(empty, 'x'), '');
    const { exitCode, stderr } = await check('y.jsonl');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('y.jsonl')]);
  });
});
