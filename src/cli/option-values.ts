import { FlowerError } from '../errors/flower-error.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { isLanguage } from './locales/language.ts';

type Parse<Value> = (value: string) => Value;

function invalid(option: string, value: string, expected: string): FlowerError<'option-invalid'> {
  return new FlowerError('option-invalid', { option, value: `"${value}"`, expected });
}

/** Value of a flag that names something; throws `option-invalid` when it is empty. */
export function nameOption(option: string, texts: Catalogue): Parse<string> {
  return (value) => {
    if (value.trim() === '') throw invalid(option, value, texts.usage.expectedName);
    return value;
  };
}

/** Adds the value of a flag that may be given several times. */
export function collectOption(
  option: string,
  texts: Catalogue,
): (value: string, earlier: readonly string[] | undefined) => readonly string[] {
  const parse = nameOption(option, texts);
  return (value, earlier = []) => [...earlier, parse(value)];
}

/** Value of `--lang`. */
export function languageOption(texts: Catalogue): Parse<string> {
  return (value) => {
    if (!isLanguage(value)) throw invalid('--lang', value, texts.usage.expectedLanguage);
    return value;
  };
}

/** US dollars above zero. */
export function moneyOption(option: string, texts: Catalogue): Parse<number> {
  return (value) => {
    const usd = Number(value);
    if (value.trim() === '' || !Number.isFinite(usd) || usd <= 0) {
      throw invalid(option, value, texts.usage.expectedMoney);
    }
    return usd;
  };
}

/** Comma list of tool names; an empty list means no tool. A comma in brackets does not part. */
export function toolsOption(value: string): readonly string[] {
  return value
    .split(/,(?![^(]*\))/)
    .map((tool) => tool.trim())
    .filter((tool) => tool !== '');
}

/** Permission modes that the command offers. */
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;

/** One of {@link permissionModes}. */
export type OfferedPermissionMode = (typeof permissionModes)[number];

/** Value of `--permission-mode`. */
export function permissionModeOption(texts: Catalogue): Parse<OfferedPermissionMode> {
  return (value) => {
    const mode = permissionModes.find((known) => known === value);
    if (mode === undefined) {
      throw invalid('--permission-mode', value, texts.usage.expectedPermissionMode);
    }
    return mode;
  };
}
