import { findResetPhrase, type ResetDay, type ResetPhrase } from './reset-phrase.ts';
import {
  instantsOf,
  systemTimeZone,
  wallTimeAt,
  type WallTime,
  type ZoneOffset,
  zoneOffset,
} from './time-zone.ts';

const DAY_MS = 86_400_000;

/** A date without a year further away than this is one that has passed. */
const FARTHEST_UNDATED_MS = 62 * DAY_MS;

/**
 * Reads when a limit resets out of a failure text.
 *
 * A time of day is its next occurrence after `now`. A zone that the text does not name, or that is
 * unknown, is `timeZone`. Prefer `rate_limit_info.resetsAt` where there is one.
 *
 * @param text - For example `You've hit your session limit · resets 3:45pm (Europe/Berlin)`.
 * @param now - The moment at which the text was written.
 * @param timeZone - Zone of the process that wrote it.
 * @returns A moment after `now`, or `null` when the text states none.
 */
export function parseLimitReset(
  text: string,
  now: Date,
  timeZone: string = systemTimeZone(),
): Date | null {
  const phrase = findResetPhrase(text);
  const resetMs = phrase === null ? null : instantOf(phrase, now.getTime(), timeZone);
  return resetMs === null || resetMs <= now.getTime() ? null : new Date(resetMs);
}

function instantOf(phrase: ResetPhrase, nowMs: number, timeZone: string): number | null {
  if (phrase.kind === 'epoch') return phrase.epochMs;
  if (phrase.kind === 'relative') return nowMs + phrase.afterMs;
  const offset = zoneOffset(phrase.zone ?? timeZone) ?? zoneOffset(timeZone);
  if (offset === null) return null;
  const { day, hour, minute } = phrase;
  const walls = possibleDays(day, wallTimeAt(nowMs, offset)).map((one) => ({
    ...one,
    hour,
    minute,
  }));
  const resetMs = earliestAfter(nowMs, walls, offset);
  const isUndated = day.kind === 'date' && day.year === undefined;
  return isUndated && resetMs !== null && resetMs - nowMs > FARTHEST_UNDATED_MS ? null : resetMs;
}

type CalendarDay = Pick<WallTime, 'year' | 'month' | 'day'>;

function possibleDays(day: ResetDay, today: WallTime): readonly CalendarDay[] {
  switch (day.kind) {
    case 'any':
      return [plusDays(today, 0), plusDays(today, 1), plusDays(today, 2)];
    case 'offset':
      return [plusDays(today, day.days)];
    case 'weekday':
      return [0, 1, 2, 3, 4, 5, 6, 7]
        .map((days) => plusDays(today, days))
        .filter((one) => weekdayOf(one) === day.weekday);
    case 'date': {
      const years = day.year === undefined ? [today.year, today.year + 1] : [day.year];
      return years.map((year) => ({ year, month: day.month, day: day.day })).filter(isRealDay);
    }
  }
}

function earliestAfter(
  nowMs: number,
  walls: readonly WallTime[],
  offset: ZoneOffset,
): number | null {
  const later = walls.flatMap((wall) => instantsOf(wall, offset)).filter((ms) => ms > nowMs);
  return later.length === 0 ? null : Math.min(...later);
}

function plusDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function isRealDay(date: CalendarDay): boolean {
  const same = plusDays(date, 0);
  return same.year === date.year && same.month === date.month && same.day === date.day;
}
