import type { HookCallback, HookEvent, HookInput } from '@anthropic-ai/claude-agent-sdk';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import { assistant } from '../transcript/fixtures/rows.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { EngineSignal } from './engine.ts';
import { segmentHooks } from './hooks.ts';
import { SessionMirror } from './session-mirror.ts';

const temporaryDirectory = temporaryDirectories();
let database: RunDatabase;
let mirror: SessionMirror;
let signals: EngineSignal[];

beforeEach(() => {
  vi.useFakeTimers();
  database = openRunDatabase(join(temporaryDirectory(), 'sessions.db'));
  mirror = new SessionMirror(new SqliteSessionStore(database), {
    onFirstRecord: () => undefined,
    onUsage: () => undefined,
  });
  signals = [];
});

afterEach(() => {
  vi.useRealTimers();
  database.close();
});

function hooksOf(spec: Partial<AgentSpec>, event: HookEvent): HookCallback[] {
  const hooks = segmentHooks(
    { name: 'agent', ...spec },
    { mirror, onSignal: (signal) => signals.push(signal) },
  );
  return (hooks[event] ?? []).flatMap((matcher) => matcher.hooks);
}

function input(tool: string, event: 'PreToolUse' | 'PostToolUse' = 'PreToolUse'): HookInput {
  const text = JSON.stringify({
    hook_event_name: event,
    tool_name: tool,
    tool_use_id: 'toolu_1',
    tool_input: {},
    session_id: 's',
    transcript_path: '',
    cwd: '/',
  });
  return JSON.parse(text);
}

function call(hook: HookCallback | undefined, given: HookInput): Promise<unknown> {
  expect(hook).toBeDefined();
  return Promise.resolve(hook?.(given, 'toolu_1', { signal: new AbortController().signal }));
}

const denial = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
};

describe('hooks of the spec', () => {
  const broken: [string, HookCallback][] = [
    [
      'throws',
      () => {
        throw new Error('guard broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('guard broke'))],
  ];

  it.each(broken)('one that %s before a tool denies the call and is an alarm', async (_, hook) => {
    const spec = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };
    const [, guarded] = hooksOf(spec, 'PreToolUse');
    expect(await call(guarded, input('Bash'))).toMatchObject(denial);
    expect(signals).toEqual([
      {
        type: 'alarm',
        code: 'hook-failed',
        params: { hook: 'PreToolUse', detail: 'guard broke' },
      },
    ]);
  });

  it.each(broken)('one that %s after a tool is an alarm and changes nothing', async (_, hook) => {
    const [guarded] = hooksOf({ hooks: { PostToolUse: [{ hooks: [hook] }] } }, 'PostToolUse');
    expect(await call(guarded, input('Bash', 'PostToolUse'))).toEqual({});
    expect(signals).toMatchObject([{ code: 'hook-failed', params: { hook: 'PostToolUse' } }]);
  });

  it('keeps matchers, answers and order, behind its own', async () => {
    const answer = { systemMessage: 'seen' };
    const hooks = segmentHooks(
      {
        name: 'agent',
        hooks: {
          PreToolUse: [{ matcher: 'Write', timeout: 5, hooks: [() => Promise.resolve(answer)] }],
        },
      },
      { mirror, onSignal: (signal) => signals.push(signal) },
    );
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PreToolUse?.[1]).toMatchObject({ matcher: 'Write', timeout: 5 });
    expect(await call(hooks.PreToolUse?.[1]?.hooks[0], input('Write'))).toBe(answer);
  });
});

describe('the wait for the row of a call', () => {
  const wait = (): HookCallback | undefined => hooksOf({}, 'PreToolUse')[0];

  it('ends as soon as the row is on disk', async () => {
    const waiting = call(wait(), input('Bash'));
    const block = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
    await mirror.append({ projectKey: 'p', sessionId: 's' }, [assistant(undefined, [block])]);
    expect(await waiting).toEqual({});
    expect(signals).toEqual([]);
  });

  it('ends with an alarm after two seconds, and the tool runs', async () => {
    const waiting = call(wait(), input('Bash'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toEqual({});
    expect(signals).toMatchObject([
      { type: 'alarm', code: 'transcript-row-late', params: { tool: 'Bash', id: 'toolu_1' } },
    ]);
  });

  it.each(['Read', 'Glob', 'Grep'])('%s changes nothing and does not wait', async (tool) => {
    expect(await call(wait(), input(tool))).toEqual({});
    expect(vi.getTimerCount()).toBe(0);
  });
});
