/** Offset of a zone from UTC at an instant, both in milliseconds. */
export type ZoneOffset = (instantMs: number) => number;

/** A date and time of day as a clock on the wall shows it. */
export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const DAY_MS = 86_400_000;

/** Name of the zone that this process runs in. */
export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Finds a zone by name.
 *
 * @param name - IANA name (also `Etc/GMT+5`, which is five hours *behind* UTC), or `UTC+2`,
 *   `GMT-3:30`, `+02:00`, where the sign has its everyday meaning.
 * @returns `null` for a name that is no zone.
 */
export function zoneOffset(name: string): ZoneOffset | null {
  const fixed = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(name);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    return () => (fixed[1] === '-' ? -minutes : minutes) * 60_000;
  }
  const format = formatOf(name);
  return format === null ? null : (instantMs) => offsetAt(format, instantMs);
}

/** What a wall clock of the zone shows at an instant. */
export function wallTimeAt(instantMs: number, offset: ZoneOffset): WallTime {
  const shifted = new Date(instantMs + offset(instantMs));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  };
}

/**
 * The instants at which a wall clock of the zone shows this time, earliest first.
 *
 * Two where a fold repeats the hour. In a gap no clock shows it; then the one instant is as long
 * after the gap's begin as the time is (02:30 becomes 03:30).
 */
export function instantsOf(wall: WallTime, offset: ZoneOffset): readonly number[] {
  const asUtcMs = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = offset(asUtcMs - DAY_MS);
  const after = offset(asUtcMs + DAY_MS);
  const candidates = [asUtcMs - before, asUtcMs - after].sort((left, right) => left - right);
  const shown = candidates.filter((instantMs) => instantMs + offset(instantMs) === asUtcMs);
  return shown.length > 0 ? [...new Set(shown)] : [asUtcMs - before];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(name: string): Intl.DateTimeFormat | null {
  const format = formats.get(name) ?? createFormat(name);
  if (format !== null) formats.set(name, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

function offsetAt(format: Intl.DateTimeFormat, instantMs: number): number {
  const part = new Map<string, number>();
  for (const { type, value } of format.formatToParts(instantMs)) part.set(type, Number(value));
  const number = (type: string): number => part.get(type) ?? 0;
  const shownMs = Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  );
  return shownMs - Math.floor(instantMs / 1000) * 1000;
}
