import type { Command } from 'commander';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Adds `flower demo` to the program. */
export function registerDemo(program: Command, texts: Catalogue, launch: Launch): void {
  program
    .command('demo')
    .usage(texts.help.optionsWord)
    .description(texts.help.commands.demo)
    .helpOption('-h, --help', texts.help.options.help)
    .action(() =>
      launch(async (context) => {
        const { runDemo } = await import('../demo/run-demo.ts');
        return runDemo(context);
      }),
    );
}
