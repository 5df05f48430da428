import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { GlobalOptions, Launch } from './command-context.ts';
import { registerAdopt } from './commands/adopt.ts';
import { registerDemo } from './commands/demo.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExport } from './commands/export.ts';
import { registerImport } from './commands/import.ts';
import { registerLog } from './commands/log.ts';
import { registerOnce } from './commands/once.ts';
import { registerRun } from './commands/run.ts';
import { registerStatus } from './commands/status.ts';
import { registerTranscript } from './commands/transcript.ts';
import type { Host } from './host.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { languageOption, nameOption } from './option-values.ts';
import { helpConfiguration } from './program-help.ts';

/** Where a command leaves its exit code. */
export interface Outcome {
  exitCode: number;
}

/**
 * The whole command line, not yet parsed.
 *
 * Parsing throws `CommanderError` for help and misuse, and what a command throws. The bodies of
 * commands are imported when they are called.
 */
export function createProgram(host: Host, texts: Catalogue, outcome: Outcome): Command {
  const { help } = texts;
  const program = new Command('flower');
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      // Errors are told by the caller, in the reader's language.
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(host.stdout.columns ?? 80, 100),
    })
    .configureHelp(helpConfiguration(help))
    .usage(`${help.optionsWord} ${help.commandWord}`)
    .description(help.description)
    .addHelpText('after', `\n${help.footer}`)
    .helpOption('-h, --help', help.options.help)
    .version(flowerVersion(), '-V, --version', help.options.version);
  addGlobalOptions(program, texts);
  const launch: Launch = async (body) => {
    const globals = program.opts<GlobalOptions>();
    outcome.exitCode = await body({ host, texts, globals });
  };
  registerRun(program, texts, launch);
  registerOnce(program, texts, launch);
  registerStatus(program, texts, launch);
  registerLog(program, texts, launch);
  registerAdopt(program, texts, launch);
  registerExport(program, texts, launch);
  registerImport(program, texts, launch);
  registerTranscript(program, texts, launch);
  registerDoctor(program, texts, launch);
  registerDemo(program, texts, launch);
  program.helpCommand('help [command]', help.commands.help);
  return program;
}

function addGlobalOptions(program: Command, texts: Catalogue): void {
  const { options } = texts.help;
  program
    .option('-w, --workspace <dir>', options.workspace, nameOption('--workspace', texts))
    .option('-r, --run-dir <dir>', options.runDir, nameOption('--run-dir', texts))
    .option('--lang <language>', options.lang, languageOption(texts))
    .option('--json', options.json)
    .option('-v, --verbose', options.verbose)
    .option('-q, --quiet', options.quiet)
    .option('--debug', options.debug);
}

/** Read from the package itself: no copy of the number that could be forgotten. */
function flowerVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : '';
}
