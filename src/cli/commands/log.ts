import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower log [subject]` to the program. */
export function registerLog(program: Command, texts: Catalogue, launch: Launch): void {
  const { help } = texts.history;
  program
    .command('log')
    .usage(`${texts.help.optionsWord} [subject]`)
    .description(help.commands.log)
    .helpOption('-h, --help', texts.help.options.help)
    .argument('[subject]', help.arguments.subject)
    .option('--all', help.options.all)
    .action((subject: string | undefined, flags: { readonly all?: boolean }) =>
      launch(async (context) => {
        const { showLog, showTranscript } = await import('../history/show-log.ts');
        return subject === undefined ? showLog(context) : showTranscript(context, subject, flags);
      }),
    );
}
