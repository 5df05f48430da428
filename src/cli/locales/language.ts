/** Languages of the texts for people. */
export const languages = ['en', 'zh', 'ru'] as const;

/** One of {@link languages}. */
export type Language = (typeof languages)[number];

/** True for the name of a language that flower speaks. */
export function isLanguage(value: string): value is Language {
  return languages.some((language) => language === value);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The language of a locale name such as `zh_CN.UTF-8`; `undefined` when flower lacks it. */
function languageOfLocale(locale: string): Language | undefined {
  const name = locale.toLowerCase().split(/[_.@-]/)[0] ?? '';
  return isLanguage(name) ? name : undefined;
}

/**
 * Language from the environment: `FLOWER_LANG`, then the system locale (`LC_ALL`, `LC_MESSAGES`,
 * `LANG`; the first that is not empty decides). English when nothing names a known language.
 */
function languageOfEnvironment(env: Environment): Language {
  const chosen = languageOfLocale(env.FLOWER_LANG ?? '');
  if (chosen !== undefined) return chosen;
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value);
  return languageOfLocale(locale ?? '') ?? 'en';
}

/**
 * Value of `--lang` in the arguments, before they are parsed: the parser's own texts need it.
 * The last one counts; nothing after `--` does.
 */
function languageArgument(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const flags = end === -1 ? args : args.slice(0, end);
  let found: string | undefined;
  for (const [index, flag] of flags.entries()) {
    if (flag === '--lang') found = flags[index + 1] ?? found;
    if (flag.startsWith('--lang=')) found = flag.slice('--lang='.length);
  }
  return found;
}

/** Language of this call: `--lang`, then the environment; an unknown `--lang` is left to the parser. */
export function chooseLanguage(args: readonly string[], env: Environment): Language {
  const asked = languageArgument(args);
  return asked !== undefined && isLanguage(asked) ? asked : languageOfEnvironment(env);
}
