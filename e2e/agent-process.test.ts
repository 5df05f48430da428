import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type Options, query, type SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type SpawnAgent, spawnAgentProcess } from '../src/claude/child-process.ts';
import { agentEnvironment } from '../src/claude/environment.ts';
import {
  type LocalSession,
  mainTranscriptPath,
  sessionDirectory,
  subagentMetadataPath,
} from '../src/claude/local-paths.ts';
import {
  readLocalTranscript,
  setAsideStub,
  writeLocalTranscript,
} from '../src/claude/local-transcript.ts';
import { findProcess } from '../src/claude/process-list.ts';
import { projectKeyOf } from '../src/claude/project-key.ts';
import { startWatcher, type Watcher } from '../src/claude/watcher.ts';
import {
  createTestHome,
  type Script,
  type ScriptedApi,
  startScriptedApi,
  type TestHome,
  textReply,
  toolReply,
} from '../src/testing/index.ts';

let api: ScriptedApi;
let home: TestHome;
let watcher: Watcher;
let sessionId: string;
let session: LocalSession;
let agents: SpawnAgent[];

beforeEach(() => {
  watcher = startWatcher();
  sessionId = randomUUID();
  agents = [];
});

afterEach(async () => {
  for (const agent of agents) await agent.end();
  watcher.stop();
  await api.close();
  await home.dispose();
});

describe('the process of an agent', () => {
  it('leaves nothing behind after the result', async () => {
    const command =
      'nohup setsid sh -c "echo \\$\\$ >pid; exec sleep 600" >/dev/null 2>&1 & sleep 0.3';
    await stage([toolReply({ name: 'Bash', input: { command } }), textReply('Started.')]);

    const agent = await say('Start the server.', { sessionId });
    const server = Number(readFileSync(join(home.workspace, 'pid'), 'utf8'));
    const { ended, left } = await agent.end();

    expect(left).toEqual([]);
    expect(isRunning(server)).toBe(false);
    // Either the end of the process or our call was first; the answer is the same.
    expect(ended).toContain(server);
  });

  it('does not take an outer session for its own', async () => {
    await stage([textReply('Hello.')]);

    await say('Hello?', { sessionId }, { CLAUDE_CODE_CHILD_SESSION: '1', CLAUDECODE: '1' });

    expect(readLocalTranscript(session).main.map((row) => row.type)).toContain('assistant');
    expect(api.requests.find((request) => request.kind === 'main')?.sessionId).toBe(sessionId);
  });
});

describe('the files of a session', () => {
  it('resume from what flower wrote, subagents included', async () => {
    await stage((request, index) => scoutScript(request.agentId, index));
    await say('Look around.', { sessionId });
    const { stamp: _old, ...rows } = readLocalTranscript(session);
    const [subpath = ''] = rows.subagents.keys();
    const agentId = subpath.replace('subagents/agent-', '');
    expect(rows.subagents.get(subpath)?.[0]).toMatchObject({
      type: 'agent_metadata',
      agentType: 'scout',
    });

    rmSync(mainTranscriptPath(session));
    rmSync(sessionDirectory(session), { recursive: true });
    expect(writeLocalTranscript(session, rows, new Map())).toBe('written');
    expect(existsSync(subagentMetadataPath(session, subpath))).toBe(true);
    scoutId = agentId;
    await say('Ask the scout again.', { resume: sessionId });

    const again = api.requests.filter((request) => request.agentId === agentId).at(-1);
    expect(JSON.stringify(again?.messages)).toContain('Look for beds');
    expect(JSON.stringify(again?.messages)).toContain('How many?');
    const last = api.requests.findLast((request) => request.kind === 'main');
    expect(JSON.stringify(last?.messages)).toContain('Look around.');
  });

  it('start anew after a stub was set aside', async () => {
    await stage([textReply('Hello.')]);
    mkdirSync(dirname(mainTranscriptPath(session)), { recursive: true });
    writeFileSync(
      mainTranscriptPath(session),
      '{"type":"queue-operation","operation":"enqueue"}\n',
    );

    await expect(say('Hello?', { sessionId })).rejects.toThrow('exited with code 1');
    await agents[0]?.end();
    expect(agents[0]?.stderrTail()).toContain('already in use');
    expect(setAsideStub(session)).toBeDefined();
    await say('Hello?', { sessionId });

    expect(readLocalTranscript(session).main.map((row) => row.type)).toContain('assistant');
  });
});

let scoutId = '';

function scoutScript(agentId: string | undefined, index: number): ReturnType<typeof textReply> {
  if (agentId !== undefined) return textReply(`Report ${index}.`);
  if (index === 0) {
    const input = { description: 'scout', subagent_type: 'scout', prompt: 'Look for beds' };
    return toolReply({ name: 'Agent', input });
  }
  if (index === 3) {
    const input = { to: scoutId, summary: 'count', message: 'How many?' };
    return toolReply({ name: 'SendMessage', input });
  }
  return textReply('Done.');
}

async function stage(script: Script): Promise<void> {
  api = await startScriptedApi({ script });
  home = await createTestHome({ api });
  session = {
    configDirectory: home.configDir,
    projectKey: projectKeyOf(home.workspace),
    sessionId,
  };
}

async function say(
  prompt: string,
  options: Options,
  base: Record<string, string> = {},
): Promise<SpawnAgent> {
  const mark = `e2e-${randomUUID()}`;
  const spawnAgent = spawnAgentProcess({ mark, watcher });
  agents.push(spawnAgent);
  let result: SDKResultMessage | undefined;
  const messages = query({
    prompt,
    options: {
      ...options,
      cwd: home.workspace,
      env: agentEnvironment({ base: { ...base, ...home.env }, mark }),
      settingSources: [],
      allowedTools: ['Bash', 'Agent', 'SendMessage'],
      agents: { scout: { description: 'Looks around.', prompt: 'You look around.' } },
      spawnClaudeCodeProcess: spawnAgent,
    },
  });
  for await (const message of messages) if (message.type === 'result') result = message;
  expect(result).toMatchObject({ subtype: 'success', is_error: false });
  return spawnAgent;
}

function isRunning(pid: number): boolean {
  const found = findProcess(pid);
  return found !== undefined && !found.isZombie;
}
