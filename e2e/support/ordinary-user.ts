import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const nobody = 65_534;

/**
 * The command that starts a program as somebody for whom file rights count: root ignores them.
 *
 * @param folder - Becomes that user's, with all that it holds.
 * @returns nothing to be put before the program when we are an ordinary user ourselves.
 */
export function asOrdinaryUser(folder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(folder, name), nobody, nobody);
  }
  // The loader of the sources keeps its cache where only the owner of the checkout may write.
  return [
    'env',
    'JITI_FS_CACHE=false',
    'setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
  ];
}
