import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestHome,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
} from '../src/testing/index.ts';
import { type BuiltEnd, builtFlower } from './support/built-command.ts';

let api: ScriptedApi;
let home: TestHome;

beforeEach(async () => {
  api = await startScriptedApi({ script: () => 'an answer' });
  home = await createTestHome({
    api,
    files: {
      'broken.ts': 'export const main = {;\n',
      'empty.ts': 'export {};\n',
      'number.ts': 'export const main = 42;\n',
      'missing-import.ts': "import 'not-there';\nexport const main = 1;\n",
      'flow.ts': [
        "import { Workflow } from 'flower-agent';",
        "export const main = Workflow.of('x').step('one', { name: 'reader' }, 'Do one.');",
      ].join('\n'),
    },
  });
});

afterEach(async () => {
  await api.close();
  await home.dispose();
});

function flower(args: readonly string[], env: Record<string, string> = {}): Promise<BuiltEnd> {
  return builtFlower(args, { cwd: home.workspace, env: { ...home.env, ...env } }).ended;
}

describe('wrong use of the command', () => {
  it.each([
    [['run', 'flow.ts:main', '--modle', 'x'], 2, /--modle/],
    [['rum'], 2, /rum.*run/],
    [['run', 'flow.ts'], 2, /flow\.ts/],
    [['run', 'nowhere.ts:main'], 2, /nowhere\.ts/],
    [['run', 'broken.ts:main'], 2, /broken\.ts:1:\d+/],
    [['run', 'missing-import.ts:main'], 2, /not-there/],
    [['run', 'empty.ts:main'], 2, /main/],
    [['run', 'number.ts:main'], 2, /Workflow/],
    [['run', 'flow.ts:main', '--from', 'two'], 2, /two/],
    [['run', 'flow.ts:main', '-w', 'nowhere'], 2, /nowhere/],
    [['once', 'Hello.', '-b', 'much'], 2, /much/],
    [['once', 'Hello.', '-r', 'flow.ts'], 1, /flow\.ts/],
  ] as const)('%j gives one clear line, no stack, and exit %i', async (args, exitCode, line) => {
    const end = await flower(args);
    expect(end.exitCode).toBe(exitCode);
    expect(end.stdout).toBe('');
    expect(end.stderr).toMatch(/^flower: [^\n]+\n$/);
    expect(end.stderr).toMatch(line);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(api.requests).toHaveLength(0);
  });

  it('says which run directory cannot be written, before anything is spent', async () => {
    const runDir = join(home.path, 'locked');
    mkdirSync(runDir);
    writeFileSync(join(runDir, 'held'), '');
    chmodSync(runDir, 0o500);
    // Root may write everywhere; a file in place of the directory stops it too.
    const path = process.getuid?.() === 0 ? join(runDir, 'held') : runDir;
    const end = await flower(['run', 'flow.ts:main', '-r', path]);
    chmodSync(runDir, 0o700);
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(/^flower: [^\n]*cannot be written[^\n]*\n$/);
    expect(end.stderr).toContain(path);
    expect(api.requests).toHaveLength(0);
  });

  it('says how to get credentials when there are none', async () => {
    const bare = Object.fromEntries(
      Object.entries(home.env).filter(([name]) => !name.startsWith('ANTHROPIC_')),
    );
    const end = await builtFlower(['once', 'Hello.'], { cwd: home.workspace, env: bare }).ended;
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(/^flower: [^\n]*ANTHROPIC_API_KEY[^\n]*\n$/);
  });
});

describe('flower --help', () => {
  it.each([[['--help']], [['run', '--help']], [['--version']]])(
    '%j answers without the SDK, SQLite, zod or the flow loader',
    async (args) => {
      const record = join(home.path, 'modules');
      writeFileSync(record, '');
      const recorder = join(import.meta.dirname, 'support/record-modules.mjs');
      const end = await flower(args, {
        NODE_OPTIONS: `--import=${recorder}`,
        RECORDED_MODULES: record,
      });
      expect(end).toMatchObject({ exitCode: 0, stderr: '' });
      const modules = readFileSync(record, 'utf8');
      expect(modules).toContain('/dist/cli/bin.js');
      expect(modules).not.toMatch(/claude-agent-sdk|better-sqlite3|\/zod\/|\/jiti\//);
    },
  );
});

describe('eight flower once at the same moment', () => {
  it('leave eight rows in the manifest and no error', async () => {
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, index) => flower(['once', `Question ${index}.`])),
    );
    expect(ends.map((end) => [end.exitCode, end.stdout])).toEqual(
      Array(8).fill([0, 'an answer\n']),
    );
    const rows = JSON.parse(readFileSync(join(home.workspace, 'runs/manifest.json'), 'utf8')) as {
      step: string;
      ok: boolean;
      run: string;
    }[];
    expect(rows).toHaveLength(8);
    expect(rows.every(({ step, ok }) => step === 'once' && ok)).toBe(true);
    expect(new Set(rows.map(({ run }) => run)).size).toBe(8);
  });
});
