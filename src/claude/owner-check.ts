import { FlowerError } from '../errors/flower-error.ts';
import type { AgentSpec } from './agent-spec.ts';

/**
 * Refuses an agent that Claude Code itself would refuse at its start: one that skips all permission
 * checks while it runs as root.
 *
 * Call it before anything is spent. As in Claude Code, `IS_SANDBOX=1` in the agent's environment
 * says that root is confined and may do so.
 *
 * @param env - The whole environment of the agent's process.
 * @param userId - Default the user of this process.
 * @throws FlowerError `agent-invalid`.
 */
export function assertOwnerAllows(
  spec: Pick<AgentSpec, 'name' | 'permissionMode'>,
  env: Readonly<Record<string, string | undefined>>,
  userId: number | undefined = process.getuid?.(),
): void {
  if (spec.permissionMode !== 'bypassPermissions' || userId !== 0) return;
  if (env['IS_SANDBOX'] === '1' || isTruthy(env['CLAUDE_CODE_BUBBLEWRAP'])) return;
  throw new FlowerError('agent-invalid', {
    agent: spec.name,
    detail:
      'Claude Code refuses permissionMode "bypassPermissions" for root. Run as another user, ' +
      'choose another permissionMode, or set IS_SANDBOX=1 inside a container.',
  });
}

function isTruthy(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase().trim());
}
