import { FlowerError } from '../errors/flower-error.ts';
import type { UsageTexts } from './locales/catalogue.ts';

/** The part of commander's error that we read. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
}

/** The `usage` error of a parser's error, in the language of the catalogue. */
export function usageError(error: ParserError, texts: UsageTexts): FlowerError<'usage'> {
  return new FlowerError('usage', { detail: usageText(error, texts) });
}

/** commander's errors carry a code and an English text; the names in it are quoted. */
function usageText(error: ParserError, texts: UsageTexts): string {
  const [first = '', second = ''] = quotedNames(error.message);
  switch (error.code) {
    case 'commander.unknownOption':
      return texts.unknownOption(first, suggestion(error.message));
    case 'commander.unknownCommand':
      return texts.unknownCommand(first, suggestion(error.message));
    case 'commander.missingArgument':
      return texts.missingArgument(first);
    case 'commander.optionMissingArgument':
      return texts.missingValue(flagName(first));
    case 'commander.excessArguments':
      return texts.tooManyArguments();
    case 'commander.conflictingOption':
      return texts.conflict(flagName(first), flagName(second));
    default:
      return texts.other(error.message.replace(/^error: /, ''));
  }
}

function quotedNames(message: string): string[] {
  const line = message.split('\n')[0] ?? '';
  return Array.from(line.matchAll(/'([^']*)'/g), (match) => match[1] ?? '');
}

/** `--from` of `--from <step>`, `--workspace` of `-w, --workspace <dir>`. */
function flagName(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function suggestion(message: string): string | undefined {
  return /\(Did you mean (?:one of )?(?<names>[^?]+)\?\)/.exec(message)?.groups?.names;
}
