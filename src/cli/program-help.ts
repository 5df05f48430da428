import type { Command, HelpConfiguration } from 'commander';
import type { HelpTexts } from './locales/catalogue.ts';
import { displayWidth } from './terminal/width.ts';
import { wrap } from './terminal/wrap.ts';

/** Layout of `--help`: titles of the catalogue, widths that fit CJK, global flags shown. */
export function helpConfiguration(texts: HelpTexts): HelpConfiguration {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': texts.titles.usage,
    'Arguments:': texts.titles.arguments,
    'Options:': texts.titles.options,
    'Global Options:': texts.titles.globalOptions,
    'Commands:': texts.titles.commands,
  };
  return {
    showGlobalOptions: true,
    displayWidth,
    boxWrap: (text, width) => wrap(text, width).join('\n'),
    styleTitle: (title) => titles[title] ?? title,
    subcommandTerm: (command) => [command.name(), ...argumentNames(command)].join(' '),
  };
}

function argumentNames(command: Command): string[] {
  return command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
}
