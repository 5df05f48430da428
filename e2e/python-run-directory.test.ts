import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import {
  conversationText,
  createTestHome,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
  textReply,
} from '../src/testing/index.ts';
import { builtFlower } from './support/built-command.ts';

const flow = `
import { Step, Workflow } from 'flower-agent';
const spec = { name: 'coordinator' };
export const main = new Workflow([
  new Step('确认需求', spec, '先确认需求。', { when: () => false }),
  new Step('干活', spec, '干活吧。', { resumePrompt: '接着干。' }),
]);
`;
const sessions = {
  确认需求: '11111111-1111-4111-8111-111111111111',
  干活: '22222222-2222-4222-8222-222222222222',
};
const agentId = 'a7';

let api: ScriptedApi;
let home: TestHome;

afterEach(async () => {
  await api.close();
  await home.dispose();
});

/** Rows of one turn, as Claude Code wrote them under a Python flower. */
function turn(sessionId: string, cwd: string, texts: readonly [string, string]): object[] {
  const common = { sessionId, cwd, version: '2.1.270', userType: 'external', isSidechain: false };
  const [asked, said] = texts.map(
    (_, place) => `${sessionId.slice(0, 8)}-0000-4000-8000-00000000000${place}`,
  );
  return [
    {
      ...common,
      type: 'user',
      uuid: asked,
      parentUuid: null,
      timestamp: '2026-09-07T01:00:00.000Z',
      message: { role: 'user', content: texts[0] },
    },
    {
      ...common,
      type: 'assistant',
      uuid: said,
      parentUuid: asked,
      timestamp: '2026-09-07T01:00:05.000Z',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [{ type: 'text', text: texts[1] }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 7, output_tokens: 5 },
      },
    },
  ];
}

/** What a Python flower leaves behind. */
function writePythonRun(workspace: string, projectKey: string): void {
  const runDir = join(workspace, 'runs');
  mkdirSync(runDir);
  const file = new Database(join(runDir, 'sessions.db'));
  file.exec(`
    CREATE TABLE entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT,
      payload TEXT NOT NULL, PRIMARY KEY (store_key, seq));
    CREATE UNIQUE INDEX entries_uid ON entries (store_key, uid) WHERE uid IS NOT NULL;
    CREATE TABLE meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);
    CREATE TABLE summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL,
      mtime INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));
  `);
  const put = (key: string, rows: readonly object[]): void => {
    for (const [seq, row] of rows.entries()) {
      const uid = (row as { uuid?: string }).uuid ?? null;
      file
        .prepare('INSERT INTO entries VALUES (?, ?, ?, ?)')
        .run(key, seq, uid, JSON.stringify(row));
    }
    file.prepare('INSERT INTO meta VALUES (?, ?, ?)').run(key, 1_788_742_805_000, rows.length);
  };
  const { 确认需求: clarify, 干活: work } = sessions;
  put(`${projectKey}/${clarify}`, turn(clarify, workspace, ['要做什么？', '做一个编辑器。']));
  put(`${projectKey}/${work}`, turn(work, workspace, ['开始干活。', '写好了第一版。']));
  put(`${projectKey}/${work}/subagents/agent-${agentId}`, [
    { type: 'agent_metadata', agentType: 'worker', toolUseId: 'toolu_1' },
  ]);
  file.close();
  const lineage = { workspace, woke: 2, steps: sessions };
  writeFileSync(join(runDir, 'lineage.json'), JSON.stringify(lineage, null, 2));
  const row = (step: keyof typeof sessions, cost: number): object => ({
    step,
    session_id: sessions[step],
    ok: true,
    cost_usd: cost,
    num_turns: 5,
    text: '好了',
    error: null,
    started_at: 1_788_742_800,
    ended_at: 1_788_742_805,
    attempts: 1,
    errors: [],
    resumed: false,
    retired: [],
    context: 28_700,
    duration_s: 5,
    run: '20260907-090000-abc123',
  });
  const rows = [row('确认需求', 0.3704), row('干活', 171.2476)];
  writeFileSync(join(runDir, 'manifest.json'), JSON.stringify(rows, null, 2));
}

async function flower(args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await builtFlower(args, { cwd, env: home.env }).ended;
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

describe('a run directory of a Python flower', () => {
  it.each([
    ['in a plain path', 'project', /[/_.]/g],
    ['under the key that a Python flower itself computes', '项目 one', /[/_.]/g],
    ['under the key of the SDK', '项目 two', /[^A-Za-z0-9]/g],
  ])('wakes as it is, %s', async (_what, name, dashed) => {
    api = await startScriptedApi({ script: [textReply('继续。')] });
    home = await createTestHome({ api, files: { 'flows.ts': flow } });
    const workspace = join(home.path, name);
    renameSync(home.workspace, workspace);
    writePythonRun(workspace, workspace.replace(dashed, '-'));
    const known = readFileSync(join(workspace, 'runs', 'manifest.json'), 'utf8');

    expect(await flower(['log'], workspace)).toContain('干活');
    await flower(['run', 'flows.ts:main'], workspace);
    const [request] = api.requests.filter(({ kind }) => kind === 'main');
    const heard = request === undefined ? '' : conversationText(request);
    expect(heard).toMatch(/开始干活。[^]*写好了第一版。[^]*接着干。/);

    const lineage: unknown = JSON.parse(
      readFileSync(join(workspace, 'runs', 'lineage.json'), 'utf8'),
    );
    expect(lineage).toEqual({ workspace, woke: 3, steps: sessions });
    const rows = JSON.parse(
      readFileSync(join(workspace, 'runs', 'manifest.json'), 'utf8'),
    ) as object[];
    expect(rows.slice(0, 2)).toEqual(JSON.parse(known));
    expect(rows[2]).toMatchObject({ step: '干活', session_id: sessions.干活, resumed: true });
    expect(await flower(['log', '干活'], workspace)).toMatch(/写好了第一版。[^]*继续。/);
  });

  it('is exported with everything before it was ever run here', async () => {
    api = await startScriptedApi({ script: [textReply('继续。')] });
    home = await createTestHome({ api, files: { 'flows.ts': flow } });
    writePythonRun(home.workspace, home.workspace.replace(/[/_.]/g, '-'));
    await flower(['export', 'old.flower'], home.workspace);
    const other = join(home.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'flows.ts'), flow);
    await flower(['import', join(home.workspace, 'old.flower')], other);
    await flower(['run', 'flows.ts:main'], other);
    const [request] = api.requests.filter(({ kind }) => kind === 'main');
    expect(request === undefined ? '' : conversationText(request)).toContain('写好了第一版。');
    expect(await flower(['log'], other)).toMatch(/\$171\.6\d/);
  });
});
