/** What a text says about the day of a reset. */
export type ResetDay =
  | { readonly kind: 'any' }
  | { readonly kind: 'offset'; readonly days: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'date'; readonly year?: number; readonly month: number; readonly day: number };

/** A reset as a text states it, not yet tied to an instant. */
export type ResetPhrase =
  | { readonly kind: 'epoch'; readonly epochMs: number }
  | { readonly kind: 'relative'; readonly afterMs: number }
  | {
      readonly kind: 'wall';
      readonly day: ResetDay;
      readonly hour: number;
      readonly minute: number;
      /** As written; may be no zone at all. */
      readonly zone?: string;
    };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MONTH = String.raw`(?<month>${MONTHS.join('|')})[a-z]*\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:])`;
const YEAR = String.raw`(?:,?\s+(?<year>\d{4})(?![\d:]))?`;
const WEEKDAY_NAME = String.raw`(?:${WEEKDAYS.join('|')})[a-z]*\.?`;
const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

const EPOCH = /\blimit reached\s*\|\s*(?<epoch>\d{10}(?:\d{3})?)\b/i;
const ANCHOR =
  /\b(?:resets?|resetting|(?:try|available) again|retry)\b[\s:]*(?:(?:at|on|by|from)\s+)?/gi;
const RELATIVE =
  /^(?:in|after)\s+(?<parts>(?:\d+\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b[\s,]*(?:and\s+)?)+)/i;
const RELATIVE_PART = /(?<amount>\d+)\s*(?<unit>[dhms])/gi;
const DATES = [
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?!\d)T?/i,
  new RegExp(String.raw`^(?:${WEEKDAY_NAME},?\s+)?${MONTH}\s+${DAY}${YEAR}`, 'i'),
  new RegExp(String.raw`^(?:${WEEKDAY_NAME},?\s+)?${DAY}\s+(?:of\s+)?${MONTH}${YEAR}`, 'i'),
];
const NAMED_DAY = new RegExp(
  String.raw`^(?:next\s+)?(?<name>today|tomorrow|${WEEKDAY_NAME})(?![a-z])`,
  'i',
);
const BEFORE_TIME = /^[\s,]*(?:at\s+)?/i;
const TIMES = [
  /^(?<hour>\d{1,2})(?::(?<minute>\d\d))?(?::\d\d)?\s*(?<half>[ap])\.?m\b\.?/i,
  /^(?<hour>\d{1,2}):(?<minute>\d\d)(?::\d\d(?:\.\d+)?)?(?!\d)/,
  /^(?<word>noon|midnight)\b/i,
];
const ZONE_IN_BRACKETS = /^\s*\((?<zone>[^()]{1,60})\)/;
const ZONE_BARE =
  /^\s*(?<zone>Z\b|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?\b|[+-]\d\d:?\d\d\b|[A-Za-z]+\/[\w+/-]+|[A-Z]{3,4}\b)/;

/**
 * Finds when a limit resets according to a text, in the wordings that Claude Code has used.
 *
 * @returns `null` when the text states no time.
 */
export function findResetPhrase(text: string): ResetPhrase | null {
  const plain = text.replace(/[\u00a0\u2009\u202f]/g, ' ');
  const epoch = EPOCH.exec(plain)?.groups?.['epoch'];
  if (epoch !== undefined) {
    return { kind: 'epoch', epochMs: Number(epoch) * (epoch.length === 10 ? 1000 : 1) };
  }
  for (const anchor of plain.matchAll(ANCHOR)) {
    const rest = plain.slice(anchor.index + anchor[0].length);
    const phrase = readRelative(rest) ?? readWall(rest);
    if (phrase !== null) return phrase;
  }
  return null;
}

function readRelative(rest: string): ResetPhrase | null {
  const parts = RELATIVE.exec(rest)?.groups?.['parts'];
  if (parts === undefined) return null;
  let afterMs = 0;
  for (const { groups } of parts.matchAll(RELATIVE_PART)) {
    afterMs += Number(groups?.['amount']) * (UNIT_MS[groups?.['unit']?.toLowerCase() ?? ''] ?? 0);
  }
  return { kind: 'relative', afterMs };
}

function readWall(rest: string): ResetPhrase | null {
  const { day, length } = readDay(rest);
  const afterDay = rest.slice(length);
  const gap = length === 0 ? '' : (BEFORE_TIME.exec(afterDay)?.[0] ?? '');
  const time = readTime(afterDay.slice(gap.length));
  if (time === null && day.kind === 'any') return null;
  const afterTime = time === null ? afterDay : afterDay.slice(gap.length + time.length);
  const zone = (ZONE_IN_BRACKETS.exec(afterTime) ?? ZONE_BARE.exec(afterTime))?.groups?.['zone'];
  const wall = { kind: 'wall', day, hour: time?.hour ?? 0, minute: time?.minute ?? 0 } as const;
  return zone === undefined ? wall : { ...wall, zone: zone === 'Z' ? 'UTC' : zone.trim() };
}

function readDay(rest: string): { readonly day: ResetDay; readonly length: number } {
  for (const pattern of DATES) {
    const match = pattern.exec(rest);
    if (match?.groups !== undefined) return { day: dateOf(match.groups), length: match[0].length };
  }
  const named = NAMED_DAY.exec(rest);
  const name = named?.groups?.['name']?.toLowerCase();
  if (named === null || name === undefined) return { day: { kind: 'any' }, length: 0 };
  return { day: namedDay(name), length: named[0].length };
}

function dateOf(groups: Readonly<Record<string, string | undefined>>): ResetDay {
  const monthText = groups['month'] ?? '';
  const month = MONTHS.indexOf(monthText.toLowerCase()) + 1 || Number(monthText);
  const date = { kind: 'date', month, day: Number(groups['day']) } as const;
  return groups['year'] === undefined ? date : { ...date, year: Number(groups['year']) };
}

function namedDay(name: string): ResetDay {
  if (name === 'today') return { kind: 'offset', days: 0 };
  if (name === 'tomorrow') return { kind: 'offset', days: 1 };
  return { kind: 'weekday', weekday: WEEKDAYS.indexOf(name.slice(0, 3)) };
}

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** Characters read. */
  readonly length: number;
}

function readTime(rest: string): TimeOfDay | null {
  for (const pattern of TIMES) {
    const match = pattern.exec(rest);
    if (match?.groups !== undefined) return timeOf(match.groups, match[0].length);
  }
  return null;
}

function timeOf(
  groups: Readonly<Record<string, string | undefined>>,
  length: number,
): TimeOfDay | null {
  const word = groups['word']?.toLowerCase();
  if (word !== undefined) return { hour: word === 'noon' ? 12 : 0, minute: 0, length };
  const stated = Number(groups['hour']);
  const half = groups['half']?.toLowerCase();
  const minute = Number(groups['minute'] ?? 0);
  const isPossible = half === undefined ? stated <= 23 : stated >= 1 && stated <= 12;
  if (!isPossible || minute > 59) return null;
  if (half === undefined) return { hour: stated, minute, length };
  return { hour: (stated % 12) + (half === 'p' ? 12 : 0), minute, length };
}
