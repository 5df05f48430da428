import { join } from 'node:path';
import type { Environment } from './environment.ts';

/** The directory of Claude Code's own settings and login: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function claudeConfigDir(env: Environment, home: string): string {
  const set = env['CLAUDE_CONFIG_DIR'];
  return set === undefined || set === '' ? join(home, '.claude') : set;
}
