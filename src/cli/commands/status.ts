import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower status` to the program. */
export function registerStatus(program: Command, texts: Catalogue, launch: Launch): void {
  program
    .command('status')
    .usage(texts.help.optionsWord)
    .description(texts.help.commands.status)
    .helpOption('-h, --help', texts.help.options.help)
    .action(() =>
      launch(async (context) => {
        const { showStatus } = await import('../show-status.ts');
        return showStatus(context);
      }),
    );
}
