import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { configDirectory, projectKeyOf } from './project-key.ts';

interface MeasuredKey {
  readonly cwd: string;
  readonly projectKey: string;
}

const fixture = JSON.parse(
  readFileSync(new URL('./test-fixtures/project-keys.json', import.meta.url), 'utf8'),
) as { readonly rows: MeasuredKey[]; readonly windows_rows_from_issues: MeasuredKey[] };

describe('projectKeyOf', () => {
  it.each([...fixture.rows, ...fixture.windows_rows_from_issues])(
    'agrees with Claude Code on $cwd',
    ({ cwd, projectKey }) => {
      expect(projectKeyOf(cwd)).toBe(projectKey);
    },
  );

  it('is always one short folder name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (path) => {
        expect(projectKeyOf(path)).toMatch(/^[A-Za-z0-9-]{0,207}$/);
      }),
    );
  });
});

describe('configDirectory', () => {
  it.each([
    [{ CLAUDE_CONFIG_DIR: '/srv/config', HOME: '/home/ada' }, '/srv/config'],
    [{ HOME: '/home/ada' }, '/home/ada/.claude'],
    [{ CLAUDE_CONFIG_DIR: '', HOME: '/home/ada' }, '/home/ada/.claude'],
    [{}, join(homedir(), '.claude')],
    [{ CLAUDE_CONFIG_DIR: '/srv/cafe\u0301' }, '/srv/caf\u00e9'],
  ])('of %j is %s', (env, expected) => {
    expect(configDirectory(env)).toBe(expected);
  });
});
