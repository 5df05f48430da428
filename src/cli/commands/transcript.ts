import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower transcript check <transcript>` to the program. */
export function registerTranscript(program: Command, texts: Catalogue, launch: Launch): void {
  const { help } = texts.history;
  const group = program
    .command('transcript')
    .usage(`${texts.help.optionsWord} ${texts.help.commandWord}`)
    .description(help.commands.transcript)
    .helpOption('-h, --help', texts.help.options.help)
    .helpCommand(false);
  group
    .command('check')
    .usage(`${texts.help.optionsWord} <transcript>`)
    .description(help.commands.check)
    .helpOption('-h, --help', texts.help.options.help)
    .argument('<transcript>', help.arguments.transcript)
    .action((subject: string) =>
      launch(async (context) => {
        const { showCheck } = await import('../history/show-check.ts');
        return showCheck(context, subject);
      }),
    );
}
