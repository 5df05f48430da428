import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCredentials } from './credentials.ts';
import type { Environment } from './environment.ts';
import { type TemporaryHome, temporaryHome } from './temporary-home.test-support.ts';

const login = JSON.stringify({ claudeAiOauth: { accessToken: 'sk-ant-oat01-secret' } });
const account = JSON.stringify({ oauthAccount: { emailAddress: 'someone@example.com' } });

let at: TemporaryHome;

beforeEach(() => {
  at = temporaryHome();
});

afterEach(() => {
  at.remove();
});

describe('findCredentials, variables', () => {
  it.each<[Environment, object | null]>([
    [{}, null],
    [{ ANTHROPIC_API_KEY: ' ' }, null],
    [{ ANTHROPIC_API_KEY: 'key' }, { kind: 'api-key', variable: 'ANTHROPIC_API_KEY' }],
    [{ ANTHROPIC_AUTH_TOKEN: 'x' }, { kind: 'auth-token', variable: 'ANTHROPIC_AUTH_TOKEN' }],
    [{ CLAUDE_CODE_OAUTH_TOKEN: 'x' }, { kind: 'auth-token', variable: 'CLAUDE_CODE_OAUTH_TOKEN' }],
    [
      { ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_USE_BEDROCK: '1' },
      { kind: 'cloud', provider: 'bedrock' },
    ],
    [{ CLAUDE_CODE_USE_VERTEX: 'true' }, { kind: 'cloud', provider: 'vertex' }],
    [{ CLAUDE_CODE_USE_VERTEX: 'false' }, null],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:11434' }, { kind: 'local', host: '127.0.0.1' }],
    [{ ANTHROPIC_BASE_URL: 'localhost:8080' }, { kind: 'local', host: 'localhost' }],
    [{ ANTHROPIC_BASE_URL: 'http://ollama:11434' }, { kind: 'local', host: 'ollama' }],
    [{ ANTHROPIC_BASE_URL: 'https://gateway.example.com' }, null],
    [
      { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'key' },
      { kind: 'api-key', variable: 'ANTHROPIC_API_KEY' },
    ],
  ])('%o gives %o', (env, expected) => {
    expect(findCredentials(env, { home: at.home, platform: 'linux' })).toEqual(expected);
  });
});

describe('findCredentials, login', () => {
  it('finds the login of Claude Code', () => {
    const path = at.write('.claude/.credentials.json', login);
    expect(findCredentials({}, { home: at.home })).toEqual({
      kind: 'claude-login',
      path,
      certain: true,
    });
  });

  it('follows CLAUDE_CONFIG_DIR', () => {
    const path = at.write('elsewhere/.credentials.json', login);
    const env = { CLAUDE_CONFIG_DIR: join(at.home, 'elsewhere') };
    expect(findCredentials(env, { home: at.home })).toMatchObject({ kind: 'claude-login', path });
  });

  it.each(['', '{}', '{"claudeAiOauth":{"accessToken":""}}'])('takes %j as no login', (text) => {
    at.write('.claude/.credentials.json', text);
    expect(findCredentials({}, { home: at.home, platform: 'linux' })).toBeNull();
  });

  it('takes a known account for a probable login where the keychain may hold the key', () => {
    const path = at.write('.claude.json', account);
    expect(findCredentials({}, { home: at.home, platform: 'darwin' })).toEqual({
      kind: 'claude-login',
      path,
      certain: false,
    });
    expect(findCredentials({}, { home: at.home, platform: 'linux' })).toBeNull();
  });

  it('does not offer the login to a private host', () => {
    at.write('.claude/.credentials.json', login);
    const env = { ANTHROPIC_BASE_URL: 'http://192.168.1.7:1234' };
    expect(findCredentials(env, { home: at.home })).toEqual({ kind: 'local', host: '192.168.1.7' });
  });

  it('never returns the secret', () => {
    at.write('.claude/.credentials.json', login);
    const found = [
      findCredentials({}, { home: at.home }),
      findCredentials({ ANTHROPIC_API_KEY: 'sk-ant-api03-secret' }, { home: at.home }),
    ];
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});
