import type { Command } from 'commander';
import { FlowerError } from '../../errors/flower-error.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import type { Launch } from '../command-context.ts';

/** Flags of `flower adopt`. */
export interface AdoptCommandOptions {
  readonly last?: boolean;
  readonly step?: string;
}

/** Adds `flower adopt [conversation]` to the program. */
export function registerAdopt(program: Command, texts: Catalogue, launch: Launch): void {
  const { help } = texts.history;
  program
    .command('adopt')
    .usage(`${texts.help.optionsWord} [conversation]`)
    .description(help.commands.adopt)
    .helpOption('-h, --help', texts.help.options.help)
    .argument('[conversation]', help.arguments.conversation)
    .option('--last', help.options.last)
    .option('--step <step>', help.options.step, stepOption(texts))
    .action((conversation: string | undefined, flags: AdoptCommandOptions) =>
      launch(async (context) => {
        const { adoptConversation } = await import('../history/adopt-conversation.ts');
        return adoptConversation(context, conversation, flags);
      }),
    );
}

/** A key that a step of some workflow can have. */
function stepOption(texts: Catalogue): (value: string) => string {
  return (value) => {
    const step = value.slice(value.lastIndexOf('/') + 1);
    if (/^[^_#·][^#·]*$/.test(step) && step.trim() !== '' && !value.startsWith('/')) return value;
    const expected = texts.history.expectedStep;
    throw new FlowerError('option-invalid', { option: '--step', value: `"${value}"`, expected });
  };
}
