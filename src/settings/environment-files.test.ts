import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEnvironment, userFile } from './environment-files.ts';
import { type TemporaryHome, temporaryHome } from './temporary-home.test-support.ts';

let at: TemporaryHome;

beforeEach(() => {
  at = temporaryHome();
});

afterEach(() => {
  at.remove();
});

function load(processEnv: Record<string, string | undefined> = {}) {
  return loadEnvironment({ processEnv, cwd: at.cwd, home: at.home });
}

function settings(env: Record<string, unknown>): string {
  return JSON.stringify({ env });
}

describe('loadEnvironment', () => {
  it('takes each key from the first place that names it', () => {
    const places = [
      at.write('named.env', 'TWO=named'),
      at.write('project/.env', 'TWO=project\nTHREE=project'),
      at.write('.config/flower/.env', 'TWO=user\nTHREE=user\nANTHROPIC_MODEL=user'),
    ];
    const last = at.write(
      '.claude/settings.json',
      settings({ ANTHROPIC_MODEL: 'shared', ANTHROPIC_BASE_URL: 'https://gateway.corp' }),
    );
    const [named = '', project = '', user = ''] = places;
    const { env, sources, unreadable } = load({ FLOWER_ENV: named, ONE: 'process' });
    expect(env).toEqual({
      FLOWER_ENV: named,
      ONE: 'process',
      TWO: 'named',
      THREE: 'project',
      ANTHROPIC_MODEL: 'user',
      ANTHROPIC_BASE_URL: 'https://gateway.corp',
    });
    expect(sources).toEqual({
      FLOWER_ENV: 'process',
      ONE: 'process',
      TWO: named,
      THREE: project,
      ANTHROPIC_MODEL: user,
      ANTHROPIC_BASE_URL: last,
    });
    expect(unreadable).toEqual([]);
  });

  it('lets an empty value claim its key', () => {
    at.write('project/.env', 'A=\nB=file');
    at.write('.config/flower/.env', 'A=user');
    expect(load({ B: '' }).env).toEqual({ A: '', B: '' });
  });

  it('takes an undefined variable of the process as not set', () => {
    at.write('project/.env', 'A=file');
    expect(load({ A: undefined }).env).toEqual({ A: 'file' });
  });

  it('reads FLOWER_ENV relative to the current directory', () => {
    at.write('project/ci.env', 'A=ci');
    expect(load({ FLOWER_ENV: 'ci.env' }).env['A']).toBe('ci');
  });

  it('borrows only known names with a value from Claude Code', () => {
    at.write(
      '.claude/settings.json',
      settings({ ANTHROPIC_AUTH_TOKEN: '', CLAUDE_CODE_EFFORT_LEVEL: null, PATH: '/x', A: '1' }),
    );
    at.write('.claude/settings.local.json', settings({ ANTHROPIC_AUTH_TOKEN: 'local' }));
    expect(load().env).toEqual({ ANTHROPIC_AUTH_TOKEN: 'local' });
  });

  it('prefers settings.json to settings.local.json', () => {
    at.write('.claude/settings.json', settings({ ANTHROPIC_MODEL: 'shared' }));
    at.write('.claude/settings.local.json', settings({ ANTHROPIC_MODEL: 'local' }));
    expect(load().env).toEqual({ ANTHROPIC_MODEL: 'shared' });
  });

  it('follows CLAUDE_CONFIG_DIR and XDG_CONFIG_HOME', () => {
    at.write('claude/settings.json', settings({ ANTHROPIC_MODEL: 'moved' }));
    at.write('xdg/flower/.env', 'A=xdg');
    const places = {
      CLAUDE_CONFIG_DIR: join(at.home, 'claude'),
      XDG_CONFIG_HOME: join(at.home, 'xdg'),
    };
    expect(load(places).env).toEqual({ ...places, ANTHROPIC_MODEL: 'moved', A: 'xdg' });
  });

  it.each(['not json', '[]', '{"env":3}', '{}'])('takes settings of %s as none', (text) => {
    at.write('.claude/settings.json', text);
    expect(load()).toEqual({ env: {}, sources: {}, unreadable: [] });
  });

  it('names a file that was asked for but is missing, and one that cannot be read', () => {
    mkdirSync(join(at.cwd, '.env'));
    const missing = join(at.home, 'missing.env');
    expect(load({ FLOWER_ENV: missing }).unreadable).toEqual([missing, join(at.cwd, '.env')]);
  });
});

describe('userFile', () => {
  it.each([
    [{}, '/home/user/.config/flower/.env'],
    [{ XDG_CONFIG_HOME: '/config' }, '/config/flower/.env'],
    [{ XDG_CONFIG_HOME: '' }, '/home/user/.config/flower/.env'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/user/.config/flower/.env'],
  ])('%o gives %s', (env, expected) => {
    expect(userFile(env, '/home/user')).toBe(expected);
  });
});
