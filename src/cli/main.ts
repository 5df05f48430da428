import { CommanderError } from 'commander';
import { FlowerError } from '../errors/flower-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Host } from './host.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { chooseLanguage } from './locales/language.ts';
import { loadCatalogue } from './locales/load-catalogue.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { usageError } from './usage-error.ts';

/**
 * Runs the command line and resolves with its exit code. Never throws.
 *
 * Help and version load neither the Agent SDK nor SQLite, zod or the flow loader.
 */
export async function main(host: Host): Promise<number> {
  const texts = await loadCatalogue(chooseLanguage(host.args, host.env));
  try {
    return await runProgram(host, texts);
  } catch (error) {
    const debug = host.args.includes('--debug');
    return reportError(error, { stderr: host.stderr, texts, debug });
  }
}

async function runProgram(host: Host, texts: Catalogue): Promise<number> {
  if (host.platform === 'win32') {
    throw new FlowerError('platform-unsupported', { platform: 'Windows' });
  }
  const outcome = { exitCode: exitCodes.done as number };
  const program = createProgram(host, texts, outcome);
  try {
    await program.parseAsync([...host.args], { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help') program.outputHelp();
    if (!isHelp(error.code)) throw usageError(error, texts.usage);
    return exitCodes.done;
  }
}

/** Help and version are told by errors too; `commander.help` means that no command was given. */
function isHelp(code: string): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);
}
