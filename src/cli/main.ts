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
    if (!isHelp(error)) throw usageError(error, texts.usage);
    if (isBareCall(error)) program.outputHelp();
    return exitCodes.done;
  }
}

/** Help and version end the parsing with an error too. */
function isHelp({ code }: CommanderError): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);
}

/** No command was given: commander sent its help to where errors go. */
function isBareCall({ code, exitCode }: CommanderError): boolean {
  return code === 'commander.help' && exitCode !== 0;
}
