import type { Language } from './language.ts';

const localeTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN', ru: 'ru' };

/** Texts of a counted thing by plural form; `other` stands for the forms that are not given. */
export type PluralTexts = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Numbers, money, durations and dates as a language writes them. */
export interface Formats {
  /** Whole number with separators. */
  count(value: number): string;
  /** Number and the right plural form of its noun. */
  counted(value: number, texts: PluralTexts): string;
  /** Tokens in short form: 34.2K. */
  tokens(value: number): string;
  /** US dollars, two to four decimals. */
  money(usd: number): string;
  /** Duration in its two largest units; below ten seconds with one decimal. */
  duration(ms: number): string;
  /** Time of day with seconds, local; the argument is ISO 8601. An unreadable one is returned. */
  time(iso: string): string;
  /** Date and time, local; the argument is ISO 8601. An unreadable one is returned. */
  dateTime(iso: string): string;
}

/** The formats of one language, in the time zone of the machine. */
export function createFormats(language: Language): Formats {
  const tag = localeTags[language];
  const whole = once(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }));
  const short = once(
    () => new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 }),
  );
  const usd = once(
    () =>
      new Intl.NumberFormat(tag, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 2,
        maximumFractionDigits: 4,
      }),
  );
  const rules = once(() => new Intl.PluralRules(tag));
  const time = once(() => new Intl.DateTimeFormat(tag, { timeStyle: 'medium', hourCycle: 'h23' }));
  const dateTime = once(
    () =>
      new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
  );
  return {
    count: (value) => whole().format(value),
    counted: (value, texts) =>
      `${whole().format(value)} ${texts[rules().select(value)] ?? texts.other}`,
    tokens: (value) => short().format(value),
    money: (value) => usd().format(value),
    duration: (ms) => formatDuration(tag, ms),
    time: (iso) => formatDate(time(), iso),
    dateTime: (iso) => formatDate(dateTime(), iso),
  };
}

/** Makes a formatter at its first use: each costs milliseconds, and `--help` needs none. */
function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

function formatDate(format: Intl.DateTimeFormat, iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}

const durationUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function formatDuration(tag: string, ms: number): string {
  const unit = (name: string, value: number, digits: number): string =>
    new Intl.NumberFormat(tag, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 10_000) return unit('second', Math.max(0, ms) / 1000, 1);
  const first = durationUnits.findIndex(([, size]) => ms >= size);
  const parts: string[] = [];
  let rest = ms;
  for (const [name, size] of durationUnits.slice(first, first + 2)) {
    const value = Math.floor(rest / size);
    rest -= value * size;
    if (value > 0 || parts.length === 0) parts.push(unit(name, value, 0));
  }
  return parts.join(' ');
}
