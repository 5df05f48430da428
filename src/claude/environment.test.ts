import { describe, expect, it } from 'vitest';

import { agentEnvironment, wakeEnvironment } from './environment.ts';

describe('agentEnvironment', () => {
  it.each([
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_CODE_SESSION_KIND',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_RESUME_PROMPT',
    'CLAUDE_CODE_RESUME_INTERRUPTED_TURN',
    'CLAUDE_CODE_RESUME_FROM_SESSION',
    'CLAUDE_CODE_SDK_MCP_TOOL_IDLE_TIMEOUT',
    'CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH',
    'CLAUDE_CODE_PROJECT_DIR_NAME',
    'CLAUDE_CODE_REMOTE',
    'CLAUDE_CODE_REMOTE_SESSION_ID',
    'CLAUDE_CODE_HOST_SESSION_ID',
    'CLAUDE_CODE_COORDINATOR_MODE',
    'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR',
    'CLAUDE_AGENT_SDK_VERSION',
    'CLAUDE_BG_SOURCE',
    'CLAUDE_PID',
    'CLAUDE_EFFORT',
    'CLAUDE_PROJECT_DIR',
    'AI_AGENT',
  ])('keeps the marker %s of an outer session away from the agent', (name) => {
    const inherited = agentEnvironment({ base: { [name]: 'x' }, mark: 'm' });
    const spread = agentEnvironment({ base: {}, specEnv: { [name]: 'x' }, mark: 'm' });

    expect(inherited).not.toHaveProperty(name);
    expect(spread).not.toHaveProperty(name);
  });

  it.each([
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'HTTPS_PROXY',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'AWS_PROFILE',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLOUD_ML_REGION',
    'VERTEX_REGION_CLAUDE_4_5_SONNET',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_MAX_RETRIES',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'CLAUDE_CODE_EFFORT_LEVEL',
    'CLAUDE_CODE_SUBAGENT_MODEL',
    'CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_HOST_CREDS_FILE',
    'MCP_TOOL_TIMEOUT',
    'IS_SANDBOX',
  ])('hands the setting %s on', (name) => {
    expect(agentEnvironment({ base: { [name]: 'x' }, mark: 'm' })).toHaveProperty(name, 'x');
  });

  it('holds the mark of this agent, not that of an outer one', () => {
    const environment = agentEnvironment({ base: { FLOWER_MARK: 'outer' }, mark: 'inner' });

    expect(environment).toHaveProperty('FLOWER_MARK', 'inner');
  });

  it('lets the spec win over the base and drops what is undefined', () => {
    const environment = agentEnvironment({
      base: { A: 'base', B: undefined, C: 'base' },
      specEnv: { A: 'spec', C: undefined },
      mark: 'm',
    });

    expect(environment).toMatchObject({ A: 'spec' });
    expect(Object.keys(environment)).not.toContain('B');
    expect(Object.values(environment)).not.toContain(undefined);
  });

  it('sets what flower relies on, whatever the spec says', () => {
    const environment = agentEnvironment({
      base: {},
      specEnv: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '0', FLOWER_MARK: 'x' },
      mark: 'm',
      version: '1.2.3',
    });

    expect(environment).toEqual({
      CLAUDE_AGENT_SDK_CLIENT_APP: 'flower-agent/1.2.3',
      CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      DISABLE_AUTOUPDATER: '1',
      FLOWER_MARK: 'm',
    });
  });

  it('wakes a cut turn only on request', () => {
    const base = { CLAUDE_CODE_RESUME_PROMPT: 'foreign' };

    expect(agentEnvironment({ base, mark: 'm' })).not.toHaveProperty('CLAUDE_CODE_RESUME_PROMPT');
    expect(agentEnvironment({ base, mark: 'm', extra: wakeEnvironment('go on') })).toMatchObject({
      CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
      CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
      CLAUDE_CODE_RESUME_PROMPT: 'go on',
    });
  });
});
