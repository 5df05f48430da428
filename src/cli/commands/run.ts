import { type Command, Option } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import { collectOption, nameOption } from '../option-values.ts';
import type { Launch } from '../command-context.ts';

/** Flags of `flower run`. */
export interface RunCommandOptions {
  readonly new?: boolean;
  readonly moved?: boolean;
  readonly model?: string;
  readonly projectSettings?: boolean;
  readonly from?: string;
  readonly only?: string;
  readonly fresh?: readonly string[];
}

/** Adds `flower run <target>` to the program. */
export function registerRun(program: Command, texts: Catalogue, launch: Launch): void {
  const { options, commands } = texts.help;
  program
    .command('run')
    .usage(`${texts.help.optionsWord} <target>`)
    .description(commands.run)
    .helpOption('-h, --help', options.help)
    .argument('<target>', texts.help.arguments.target)
    .option('--new', options.new)
    .option('--moved', options.moved)
    .option('--model <model>', options.model, nameOption('--model', texts))
    .option('--project-settings', options.projectSettings)
    .option('--from <step>', options.from, nameOption('--from', texts))
    .addOption(
      new Option('--only <step>', options.only)
        .argParser(nameOption('--only', texts))
        .conflicts('from'),
    )
    .option('--fresh <step>', options.fresh, collectOption('--fresh', texts))
    .action((target: string, flags: RunCommandOptions) =>
      launch(async (context) => {
        const { runFlow } = await import('../run-flow.ts');
        return runFlow(context, target, flags);
      }),
    );
}
