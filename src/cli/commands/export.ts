import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower export <file>` to the program. */
export function registerExport(program: Command, texts: Catalogue, launch: Launch): void {
  const { help } = texts.history;
  program
    .command('export')
    .usage(`${texts.help.optionsWord} <file>`)
    .description(help.commands.export)
    .helpOption('-h, --help', texts.help.options.help)
    .argument('<file>', help.arguments.exportFile)
    .option('--with-secrets', help.options.withSecrets)
    .action((file: string, flags: { readonly withSecrets?: boolean }) =>
      launch(async (context) => {
        const { exportCommand } = await import('../history/transfer-run.ts');
        return exportCommand(context, file, flags);
      }),
    );
}
