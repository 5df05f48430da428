import { homedir } from 'node:os';
import type { RunDirectoryOptions } from '../../runtime/run-directory.ts';
import { loadEnvironment } from '../../settings/environment-files.ts';
import type { CommandContext } from '../command-context.ts';

/** Where a command looks: the workspace and the run directory of the flags. */
export function commandPlace({ globals }: CommandContext): RunDirectoryOptions {
  const { workspace = '.', runDir } = globals;
  return { workspace, ...(runDir === undefined ? {} : { runDir }) };
}

/** The environment with what the `.env` files add. */
export function commandEnvironment({ host }: CommandContext): Readonly<Record<string, string>> {
  const home = host.env['HOME'] ?? homedir();
  return loadEnvironment({ processEnv: host.env, cwd: host.directory, home }).env;
}

/** Writes lines of safe text to standard output. */
export function printLines({ host }: CommandContext, lines: readonly string[]): void {
  host.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
