import { describe, expect, it } from 'vitest';
import type { AgentSpec } from './agent-spec.ts';
import type { SegmentRequest } from './engine.ts';
import { buildOptions, type OptionsContext } from './options.ts';

const sessionId = '11111111-1111-4111-8111-111111111111';

function options(
  spec: Partial<AgentSpec> = {},
  request: Partial<SegmentRequest> = {},
  context: Partial<OptionsContext> = {},
): ReturnType<typeof buildOptions> {
  return buildOptions(
    {
      spec: { name: 'agent', ...spec },
      sessionId,
      start: 'new',
      prompt: 'Go.',
      mark: 'mark',
      signal: new AbortController().signal,
      onProcess: () => undefined,
      onRecord: () => undefined,
      ...request,
    },
    {
      workspace: '/work',
      projectSettings: false,
      environment: { A: '1' },
      sessionStore: { append: () => Promise.resolve(), load: () => Promise.resolve(null) },
      hooks: {},
      spawn: () => {
        throw new Error('nothing is started here');
      },
      abortController: new AbortController(),
      ...context,
    },
  );
}

describe('buildOptions', () => {
  it('appends the role to the system prompt of Claude Code and replaces nothing', () => {
    const preset = { type: 'preset', preset: 'claude_code' };
    expect(options({ instructions: 'Be brief.' }).systemPrompt).toEqual({
      ...preset,
      append: 'Be brief.',
    });
    expect(options().systemPrompt).toEqual(preset);
    expect(options({ instructions: '' }).systemPrompt).toEqual(preset);
  });

  it('reads no settings of the host, and those of the project only when asked', () => {
    expect(options()).toMatchObject({ settingSources: [], strictMcpConfig: true });
    expect(options({}, {}, { projectSettings: true })).toMatchObject({
      settingSources: ['project'],
      strictMcpConfig: false,
    });
    expect(options()).toMatchObject({ skills: [], plugins: [], sessionStoreFlush: 'eager' });
  });

  it.each<[string, Partial<AgentSpec>, string[], string[]]>([
    ['the default', {}, ['Read', 'Glob', 'Grep'], ['Read', 'Glob', 'Grep']],
    ['none', { allowedTools: [] }, [], []],
    [
      'a pattern',
      { allowedTools: ['Bash(git *)', 'Bash(ls)', 'Read'] },
      ['Bash', 'Read'],
      ['Bash(git *)', 'Bash(ls)', 'Read'],
    ],
    ['an MCP tool', { allowedTools: ['Read', 'mcp__x__y'] }, ['Read'], ['Read', 'mcp__x__y']],
    [
      'subagents',
      { allowedTools: ['Read'], agents: { coder: { description: 'codes', prompt: 'Code.' } } },
      ['Read', 'Agent', 'SendMessage'],
      ['Read'],
    ],
  ])('offers exactly what the spec allows: %s', (_, spec, tools, allowedTools) => {
    expect(options(spec)).toMatchObject({ tools, allowedTools });
  });

  it('passes subagents in both ways', () => {
    const agents = { coder: { description: 'codes', prompt: 'Code.' } };
    const built = options({ agents });
    expect(built.agents).toEqual(agents);
    expect(JSON.parse(built.extraArgs?.['agents'] ?? '')).toEqual(agents);
  });

  it.each([
    ['new', { sessionId }, 'resume'],
    ['prompt', { resume: sessionId }, 'sessionId'],
    ['turn', { resume: sessionId }, 'sessionId'],
  ] as const)('a segment that starts as %s', (start, expected, absent) => {
    const built = options({}, { start });
    expect(built).toMatchObject(expected);
    expect(built).not.toHaveProperty(absent);
  });

  it('rolls back to a message', () => {
    expect(options({}, { start: 'prompt', resumeAt: 'u1' }).resumeSessionAt).toBe('u1');
  });

  it('passes limits only where they are given', () => {
    const built = options({ model: 'm', maxTurns: 3, effort: 'low' }, { budgetUsd: 0.5 });
    expect(built).toMatchObject({ model: 'm', maxTurns: 3, effort: 'low', maxBudgetUsd: 0.5 });
    for (const name of ['model', 'maxTurns', 'effort', 'maxBudgetUsd', 'outputFormat', 'agents']) {
      expect(options()).not.toHaveProperty(name);
    }
  });

  it('asks for a structured answer', () => {
    const schema = { type: 'object' };
    expect(options({}, { outputSchema: schema }).outputFormat).toEqual({
      type: 'json_schema',
      schema,
    });
  });

  it('never skips permissions unless the spec says so', () => {
    expect(options()).toMatchObject({ permissionMode: 'default' });
    expect(options()).not.toHaveProperty('allowDangerouslySkipPermissions');
    expect(options({ permissionMode: 'bypassPermissions' })).toMatchObject({
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
    });
  });
});
