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
