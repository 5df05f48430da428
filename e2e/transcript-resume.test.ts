import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { query, type Options, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, describe, expect, it } from 'vitest';

import { projectKeyOf } from '../src/claude/project-key.ts';
import {
  conversationText,
  createTestHome,
  startScriptedApi,
  textReply,
  type ScriptedApi,
  type ScriptedRequest,
  type TestHome,
} from '../src/testing/index.ts';
import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { assistant, call, denial, result, text, user } from '../src/transcript/fixtures/rows.ts';
import { pendingAgentResult } from '../src/transcript/injected-result.ts';
import { INTERRUPT_TEXT } from '../src/transcript/interrupt-text.ts';
import { parseTranscript } from '../src/transcript/parse-lines.ts';
import { shapeTranscript } from '../src/transcript/shape.ts';
import { turnState } from '../src/transcript/turn-state.ts';
import { turnText } from '../src/transcript/turn-text.ts';

/** What makes the binary go on with a cut turn by itself. */
const wakeEnv = {
  CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
  CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
  CLAUDE_CODE_RESUME_PROMPT: 'WAKE-TEXT',
};

const opened: AsyncDisposable[] = [];

afterEach(async () => {
  for (const resource of opened.splice(0).toReversed()) await resource[Symbol.asyncDispose]();
});

interface Resumed {
  /** Requests of the main conversation. */
  readonly requests: readonly ScriptedRequest[];
  /** Rows of the local file afterwards. */
  readonly rows: readonly TranscriptEntry[];
}

interface Stage {
  readonly api: ScriptedApi;
  readonly home: TestHome;
  readonly file: string;
  readonly sessionId: string;
}

async function stage(rows: readonly TranscriptEntry[]): Promise<Stage> {
  const api = await startScriptedApi({ script: [textReply('ANSWER')] });
  opened.push(api);
  const home = await createTestHome({ api });
  opened.push(home);
  const sessionId = randomUUID();
  const folder = join(home.configDir, 'projects', projectKeyOf(home.workspace));
  const file = join(folder, `${sessionId}.jsonl`);
  await mkdir(folder, { recursive: true });
  const shaped = shapeTranscript(rows, { sessionId });
  await writeFile(file, shaped.entries.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { api, home, file, sessionId };
}

function optionsOf({ home, sessionId }: Stage, env: Readonly<Record<string, string>>): Options {
  return {
    cwd: home.workspace,
    env: { ...home.env, CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1', ...env },
    settingSources: [],
    resume: sessionId,
    tools: ['Bash', 'Read'],
  };
}

async function resumed({ api, file }: Stage): Promise<Resumed> {
  return {
    requests: api.requests.filter((request) => request.kind === 'main'),
    rows: parseTranscript(await readFile(file)).entries,
  };
}

/** Resumes with a prompt, to the end. */
async function resumeWithPrompt(rows: readonly TranscriptEntry[]): Promise<Resumed> {
  const staged = await stage(rows);
  for await (const message of query({ prompt: 'PROMPT', options: optionsOf(staged, {}) })) {
    if (message.type === 'result') expect(message.is_error).toBe(false);
  }
  staged.api.assertDone();
  return resumed(staged);
}

/** Resumes without any message: the binary goes on with the cut turn. */
async function resumeTurn(rows: readonly TranscriptEntry[]): Promise<Resumed> {
  const staged = await stage(rows);
  const ended = new AbortController();
  const bound = AbortSignal.timeout(40_000);
  const isOver = once(AbortSignal.any([ended.signal, bound]), 'abort');
  const prompt: AsyncIterable<SDKUserMessage> = {
    [Symbol.asyncIterator]: () => ({
      next: () => isOver.then(() => ({ done: true, value: undefined })),
    }),
  };
  for await (const message of query({ prompt, options: optionsOf(staged, wakeEnv) })) {
    if (message.type === 'result') ended.abort();
  }
  staged.api.assertDone();
  return resumed(staged);
}

async function fixture(name: string): Promise<readonly TranscriptEntry[]> {
  const url = new URL(`../src/transcript/fixtures/${name}.jsonl`, import.meta.url);
  return parseTranscript(await readFile(url)).entries;
}

function textOf({ requests }: Resumed): string {
  return requests.map(conversationText).join('\n');
}

function blockIds(request: ScriptedRequest, field: 'id' | 'tool_use_id'): readonly string[] {
  const blocks = request.messages.flatMap(({ content }): readonly unknown[] =>
    Array.isArray(content) ? content : [],
  );
  return blocks.flatMap((block) =>
    typeof block === 'object' && block !== null && field in block
      ? [String((block as Readonly<Record<string, unknown>>)[field])]
      : [],
  );
}

describe('a shaped transcript, resumed by the real binary', () => {
  it.each([
    ['01-dangling-parent', ['Plan bed A.', 'Bed A: peas.', 'Now bed B.', 'Bed B: beans.'], []],
    [
      '02-phantom-after-resume',
      ['Summary: the garden planner', 'Ready.', 'Bed C?'],
      ['Plan bed A.'],
    ],
    ['03-progress-parents', ['Count beds.', 'A\nB', 'Two beds.'], []],
    ['05-self-loop', ['Plan bed A.', 'Bed A: peas.', 'Now bed B.', 'Bed B: beans.'], []],
    ['06-two-branches', ['Plan bed A.', 'Writer two: bed C.', 'Bed C: kale.'], ['Writer one']],
    ['12-lone-surrogate', ['Bed A: peas \ufffd and mint', 'half \ufffd leaf', 'Now bed B.'], []],
    ['14-orphan-tool-result', ['Count beds.', 'Two beds.', 'Go on.'], ['A\nB']],
    [
      '16-resume-residue',
      ['Build it.', INTERRUPT_TEXT, 'The build finished.'],
      ['No response', '[Tool call'],
    ],
    ['17-api-error-leaf', ['Plan bed A.', 'Bed A: peas.', 'Now bed B.'], ['API Error']],
    ['19-three-errors-in-a-row', ['Plan bed A.', 'continue', 'Bed A: peas.'], ['API Error']],
    ['20-midstream-cut', ['Bed A gets pe', 'as and mint.'], ['API Error']],
    [
      '23-compact-preserved-denial',
      ['Summary: ', 'Kept prompt.', 'Kept answer.', 'Next.'],
      ['OLD-ONE', 'OLD-TWO'],
    ],
    [
      '24-compact-tail-pruned',
      ['Summary: ', 'Kept prompt.', 'Next.', 'Answer.'],
      ['OLD-ONE', 'API Error'],
    ],
    ['27-last-prompt-explicit', ['Plan bed A.', 'Bed A: peas and mint.'], ['Now bed B.']],
    ['30-denials-keep-one', ['Work.', 'rm -rf c', 'clean'], ['rm -rf a', 'rm -rf b', 'hook error']],
    [
      '35-interrupt-markers',
      ['Work.', INTERRUPT_TEXT, 'and also bed C'],
      ['[Request', '[Tool call'],
    ],
    ['41-inline-sidechain', ['Explore.', 'beds A and B', 'Two beds.'], ['SIDE:']],
  ])('%s: the request holds the history and nothing else', async (name, kept, gone) => {
    const outcome = await resumeWithPrompt(await fixture(name));
    const [request] = outcome.requests;
    if (request === undefined) throw new Error('no request');
    const conversation = textOf(outcome);
    let position = 0;
    for (const part of [...kept, 'PROMPT']) {
      position = conversation.indexOf(part, position);
      if (position < 0) throw new Error(`${part} is missing from:\n${conversation}`);
    }
    for (const part of gone) expect(conversation).not.toContain(part);
    expect(blockIds(request, 'tool_use_id')).toEqual(blockIds(request, 'id'));
  });

  it('keeps the results of parallel calls when one of the calls was a refused one', async () => {
    const start = user(undefined, 'Work.');
    const id = { id: 'msg_parallel', stop_reason: 'tool_use' };
    const one = assistant(start, [call('toolu_1')], id);
    const two = assistant(one, [call('toolu_2')], id);
    const fine = user(one, [result('toolu_1', 'FINE')]);
    const refused = denial(two, 'toolu_2');
    const ok = assistant(refused, [text('ok')]);
    const again = assistant(user(ok, 'More.'), [call('toolu_3')]);
    const more = user(ok, 'More.');
    const last = denial(again, 'toolu_3');
    const end = assistant(last, [text('END')]);
    const rows = [start, one, two, fine, refused, ok, more];
    const outcome = await resumeWithPrompt([
      ...rows,
      { ...again, parentUuid: more.uuid },
      last,
      end,
    ]);
    const [request] = outcome.requests;
    if (request === undefined) throw new Error('no request');
    expect(blockIds(request, 'id')).toEqual(['toolu_1', 'toolu_3']);
    expect(blockIds(request, 'tool_use_id')).toEqual(['toolu_1', 'toolu_3']);
    expect(textOf(outcome)).toContain('FINE');
  });
});

describe('a cut turn, continued by the real binary', () => {
  const start = user(undefined, 'Work.');
  const asked = assistant(start, [call('toolu_1')]);

  it('at the prompt: the prompt is sent again', async () => {
    const rows = shapeTranscript([start]).entries;
    expect(turnState(rows)).toMatchObject({ kind: 'cut', at: 'prompt' });
    const outcome = await resumeTurn(rows);
    expect(textOf(outcome)).toContain('Work.');
    expect(textOf(outcome)).not.toContain('No response requested.');
  });

  it('at a half-written message: the message is gone and the prompt is sent again', async () => {
    const half = assistant(start, [text('I will')], { stop_reason: 'tool_use' });
    const outcome = await resumeTurn([start, half]);
    expect(textOf(outcome)).toContain('Work.');
    expect(textOf(outcome)).not.toContain('I will');
  });

  it('at a result: the binary goes on, and the turn is told as one', async () => {
    const rows = [start, asked, user(asked, [result('toolu_1', 'FINE')])];
    expect(turnState(rows)).toMatchObject({ kind: 'cut', at: 'tool-result' });
    const outcome = await resumeTurn(rows);
    expect(textOf(outcome)).toMatch(/FINE[^]*WAKE-TEXT/);
    expect(turnState(shapeTranscript(outcome.rows).entries)).toMatchObject({ kind: 'complete' });
    expect(turnText(shapeTranscript(outcome.rows).entries)).toBe('ANSWER');
  });

  it('at a call: it is shown with an unknown outcome', async () => {
    const rows = [start, asked];
    expect(turnState(rows)).toMatchObject({ kind: 'cut', at: 'tool-use' });
    const outcome = await resumeTurn(rows);
    expect(textOf(outcome)).toMatch(/outcome is unknown[^]*WAKE-TEXT/);
    const [request] = outcome.requests;
    expect(request && blockIds(request, 'tool_use_id')).toEqual(['toolu_1']);
  });

  it('at a subagent call beside another one: the injected result is shown', async () => {
    const id = { id: 'msg_parallel', stop_reason: 'tool_use' };
    const agent = assistant(start, [call('toolu_a', 'Agent', { prompt: 'p' })], id);
    const bash = assistant(agent, [call('toolu_b')], id);
    const state = turnState([start, agent, bash]);
    const pending = state.kind === 'cut' ? state.pendingCalls[0] : undefined;
    if (pending === undefined) throw new Error('no pending call');
    const place = { uuid: randomUUID(), sessionId: 'x', timestamp: '2026-11-30T00:00:00.000Z' };
    const outcome = await resumeTurn([
      start,
      agent,
      bash,
      pendingAgentResult(pending, 'a1f0', place),
    ]);
    expect(textOf(outcome)).toMatch(/SendMessage to "a1f0"[^]*outcome is unknown[^]*WAKE-TEXT/);
    const [request] = outcome.requests;
    expect(request && blockIds(request, 'tool_use_id')).toEqual(['toolu_a', 'toolu_b']);
  });
});
