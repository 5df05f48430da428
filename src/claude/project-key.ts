import { homedir } from 'node:os';
import { join } from 'node:path';

const maximumKeyLength = 200;

/**
 * The folder name under `<config>/projects` that Claude Code uses for a working directory.
 *
 * @param realPath - Absolute path without symbolic links and without a trailing slash. Different
 * paths can share one key: everything but ASCII letters and digits becomes a dash.
 */
export function projectKeyOf(realPath: string): string {
  const key = realPath.replace(/[^A-Za-z0-9]/g, '-');
  if (key.length <= maximumKeyLength) return key;
  return `${key.slice(0, maximumKeyLength)}-${hash31(realPath).toString(36)}`;
}

/** Claude Code's configuration directory: `CLAUDE_CONFIG_DIR`, else `.claude` in the home directory. */
export function configDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env['CLAUDE_CONFIG_DIR'];
  if (chosen !== undefined && chosen !== '') return chosen.normalize('NFC');
  const home = env['HOME'];
  return join(home !== undefined && home !== '' ? home : homedir(), '.claude').normalize('NFC');
}

function hash31(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return Math.abs(hash);
}
