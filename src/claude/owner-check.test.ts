import { describe, expect, it } from 'vitest';

import { assertOwnerAllows } from './owner-check.ts';

describe('assertOwnerAllows', () => {
  it('refuses to skip permissions as root', () => {
    const spec = { name: 'worker', permissionMode: 'bypassPermissions' } as const;

    expect(() => assertOwnerAllows(spec, {}, 0)).toThrow(
      expect.objectContaining({
        code: 'agent-invalid',
        params: { agent: 'worker', detail: expect.stringContaining('root') },
      }),
    );
  });

  it.each([
    ['another user', 'bypassPermissions', {}, 1000],
    ['root with permissions', 'acceptEdits', {}, 0],
    ['root in a sandbox', 'bypassPermissions', { IS_SANDBOX: '1' }, 0],
    ['root in bubblewrap', 'bypassPermissions', { CLAUDE_CODE_BUBBLEWRAP: '1' }, 0],
  ] as const)('lets %s pass', (_who, permissionMode, env, userId) => {
    expect(() => assertOwnerAllows({ name: 'worker', permissionMode }, env, userId)).not.toThrow();
  });

  it('takes only the very value that Claude Code takes for a sandbox', () => {
    const spec = { name: 'worker', permissionMode: 'bypassPermissions' } as const;

    expect(() => assertOwnerAllows(spec, { IS_SANDBOX: 'true' }, 0)).toThrow('root');
  });
});
