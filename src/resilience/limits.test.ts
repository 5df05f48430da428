import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLimitReset } from './limits.ts';
import { wallTimeAt, zoneOffset } from './time-zone.ts';

interface ResetRow {
  readonly text: string;
  readonly at: string;
  readonly until: string;
  readonly tz?: string;
}

const file: { readonly rows: readonly ResetRow[] } = JSON.parse(
  readFileSync(new URL('./fixtures/reset-times.json', import.meta.url), 'utf8'),
);

describe('parseLimitReset', () => {
  it.each(file.rows)('$text, written at $at, is $until', ({ text, at, until, tz }) => {
    const [expected = ''] = until.split(' ');
    expect(parseLimitReset(text, new Date(at), tz)).toEqual(new Date(expected));
  });
});

describe('parseLimitReset, further wordings', () => {
  const now = '2026-08-06T12:00:00Z'; // a Thursday, 14:00 in Berlin

  it.each([
    ["You've hit your limit · resets Aug 9 at 3pm (Europe/Berlin)", '2026-08-09T13:00:00Z'],
    ["You've hit your weekly limit · resets Aug 9, 3:30pm (Europe/Berlin)", '2026-08-09T13:30:00Z'],
    ['limit · resets Sunday, August 9, 2026 at 3 p.m. (UTC)', '2026-08-09T15:00:00Z'],
    ['limit · resets 9 Aug 15:00 (UTC)', '2026-08-09T15:00:00Z'],
    ['limit · resets on Aug 9th (UTC)', '2026-08-09T00:00:00Z'],
    ['limit · resets 2026-08-09T00:00:00Z', '2026-08-09T00:00:00Z'],
    ['limit · resets 2026-08-09 02:00 +02:00', '2026-08-09T00:00:00Z'],
    ['limit · resets 2026-08-09 (America/New_York)', '2026-08-09T04:00:00Z'],
    ['limit · resets Mon 9am (Europe/Berlin)', '2026-08-10T07:00:00Z'],
    ['limit · resets Thursday at 9am (UTC)', '2026-08-13T09:00:00Z'],
    ['limit · resets Thursday at 1pm (UTC)', '2026-08-06T13:00:00Z'],
    ['limit · resets tomorrow at 9am (UTC)', '2026-08-07T09:00:00Z'],
    ['limit · resets 23:15 (UTC)', '2026-08-06T23:15:00Z'],
    ['limit · resets 12am (UTC)', '2026-08-07T00:00:00Z'],
    ['limit · resets 12pm (UTC)', '2026-08-07T12:00:00Z'],
    ['limit · resets at midnight (UTC)', '2026-08-07T00:00:00Z'],
    ['limit · resets 3:45\u202fpm (UTC)', '2026-08-06T15:45:00Z'],
    ['limit · resets 3pm America/New_York', '2026-08-06T19:00:00Z'],
    ['limit · resets 8pm (UTC+5:30)', '2026-08-06T14:30:00Z'],
    ['limit · resets 8pm (Etc/GMT-5)', '2026-08-06T15:00:00Z'],
    ['limit · resets 3pm (Nowhere/Land)', '2026-08-06T13:00:00Z'],
    ['limit · resets in 2h 15m', '2026-08-06T14:15:00Z'],
    ['rate limit; try again in 45 minutes', '2026-08-06T12:45:00Z'],
    ['Claude AI usage limit reached|1786100000', '2026-08-07T10:53:20Z'],
    ['limit · resets soon; try again at 3pm (UTC)', '2026-08-06T15:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseLimitReset(text, new Date(now), 'Europe/Berlin')).toEqual(new Date(expected));
  });

  it.each([
    'Claude AI usage limit reached|1749924000',
    'limit · resets 2026-08-01 00:00 UTC',
    'limit · resets Aug 1, 3pm (UTC)',
    'limit · resets Feb 30, 3pm (UTC)',
    'limit · resets 25:00',
    'limit · resets 13pm',
    'limit · resets 3',
    'limit reached',
    'the preset 3pm is not a reset',
    '',
  ])('%s states no coming moment', (text) => {
    expect(parseLimitReset(text, new Date(now), 'UTC')).toBeNull();
  });

  it('takes a date without a year over the turn of the year', () => {
    const at = new Date('2026-12-30T10:00:00Z');
    expect(parseLimitReset('limit · resets Jan 2, 3pm (UTC)', at)).toEqual(
      new Date('2027-01-02T15:00:00Z'),
    );
  });

  it.each([
    [
      'shows the time after a gap that skips it',
      '2026-03-29T00:30:00Z',
      '2:30am',
      '2026-03-29T01:30:00Z',
    ],
    [
      'takes the first of a repeated hour',
      '2026-10-24T22:00:00Z',
      '2:30am',
      '2026-10-25T00:30:00Z',
    ],
    [
      'takes the second when the first has passed',
      '2026-10-25T00:45:00Z',
      '2:30am',
      '2026-10-25T01:30:00Z',
    ],
    ['counts the longer day', '2026-10-24T13:30:00Z', '3pm', '2026-10-25T14:00:00Z'],
  ])('%s', (_title, at, clock, expected) => {
    const reset = parseLimitReset(`resets ${clock} (Europe/Berlin)`, new Date(at));
    expect(reset).toEqual(new Date(expected));
  });
});

const zones = fc.constantFrom(
  'UTC',
  'Etc/GMT+5',
  'Etc/GMT-14',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Casablanca',
);
const moments = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2030-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const hours = fc.integer({ min: 0, max: 23 });
const minutes = fc.integer({ min: 0, max: 59 });
const HOUR_MS = 3_600_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function twelveHours(hour: number, minute: number): string {
  const half = hour < 12 ? 'am' : 'pm';
  const tail = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${tail}${half}`;
}

/** The stated time, or, inside a gap of an hour or half an hour, the time after it. */
function showsStatedTime(reset: Date, zone: string, hour: number, minute: number): boolean {
  const offset = zoneOffset(zone);
  if (offset === null) return false;
  const shown = wallTimeAt(reset.getTime(), offset);
  const lateMinutes = (shown.hour * 60 + shown.minute - (hour * 60 + minute) + 1440) % 1440;
  if (lateMinutes === 0) return true;
  const jumpMs = offset(reset.getTime()) - offset(reset.getTime() - 2 * HOUR_MS);
  return jumpMs === lateMinutes * 60_000;
}

describe('parseLimitReset, any moment and zone', () => {
  it('finds the next occurrence of a time of day', () => {
    fc.assert(
      fc.property(moments, zones, hours, minutes, (now, zone, hour, minute) => {
        const reset = parseLimitReset(`resets ${twelveHours(hour, minute)} (${zone})`, now);
        const aheadMs = (reset?.getTime() ?? 0) - now.getTime();
        expect(aheadMs).toBeGreaterThan(0);
        expect(aheadMs).toBeLessThanOrEqual(25 * HOUR_MS);
        expect(reset !== null && showsStatedTime(reset, zone, hour, minute)).toBe(true);
      }),
    );
  });

  it('finds the next such weekday, at most a week ahead', () => {
    const weekdays = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(moments, zones, weekdays, hours, (now, zone, weekday, hour) => {
        const text = `resets ${WEEKDAYS[weekday]} at ${hour}:00 (${zone})`;
        const reset = parseLimitReset(text, now);
        const aheadMs = (reset?.getTime() ?? 0) - now.getTime();
        expect(aheadMs).toBeGreaterThan(0);
        expect(aheadMs).toBeLessThanOrEqual((7 * 24 + 1) * HOUR_MS);
        expect(reset !== null && showsStatedTime(reset, zone, hour, 0)).toBe(true);
      }),
    );
  });

  it('answers any text with a coming moment or null', () => {
    fc.assert(
      fc.property(fc.string(), moments, (text, now) => {
        const reset = parseLimitReset(`resets ${text}`, now, 'UTC');
        expect(reset === null || reset > now).toBe(true);
      }),
    );
  });
});
