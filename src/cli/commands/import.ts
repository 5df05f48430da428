import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower import <file>` to the program. */
export function registerImport(program: Command, texts: Catalogue, launch: Launch): void {
  const { help } = texts.history;
  program
    .command('import')
    .usage(`${texts.help.optionsWord} <file>`)
    .description(help.commands.import)
    .helpOption('-h, --help', texts.help.options.help)
    .argument('<file>', help.arguments.importFile)
    .action((file: string) =>
      launch(async (context) => {
        const { importCommand } = await import('../history/transfer-run.ts');
        return importCommand(context, file);
      }),
    );
}
