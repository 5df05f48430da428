import { describe, expect, it } from 'vitest';
import { createFormats } from './formats.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

const formats = { en: createFormats('en'), zh: createFormats('zh'), ru: createFormats('ru') };

/** Intl uses no-break spaces of several kinds. */
const spaced = (text: string): string => text.replace(/\s/g, ' ');

describe('formats', () => {
  it.each([
    ['en', 0.0123, '$0.0123'],
    ['en', 1234.5, '$1,234.50'],
    ['zh', 0.0123, '$0.0123'],
    ['ru', 0.0123, '0,0123 $'],
  ] as const)('%s writes %d dollars as %s', (language, usd, text) => {
    expect(spaced(formats[language].money(usd))).toBe(text);
  });

  it.each([
    ['en', 34_210, '34.2K'],
    ['zh', 34_210, '3.4万'],
    ['ru', 34_210, '34,2 тыс.'],
    ['en', 0, '0'],
  ] as const)('%s writes %d tokens as %s', (language, tokens, text) => {
    expect(spaced(formats[language].tokens(tokens))).toBe(text);
  });

  it.each([
    ['en', 0, '0s'],
    ['en', 1234, '1.2s'],
    ['en', 62_000, '1m 2s'],
    ['en', 3_600_000, '1h'],
    ['en', 93_784_000, '1d 2h'],
    ['en', -5, '0s'],
    ['zh', 62_000, '1分钟 2秒'],
    ['ru', 62_000, '1 мин 2 с'],
  ] as const)('%s writes %d milliseconds as %s', (language, ms, text) => {
    expect(spaced(formats[language].duration(ms))).toBe(text);
  });

  it('returns a time that it cannot read', () => {
    expect(formats.en.time('soon')).toBe('soon');
    expect(formats.en.dateTime('soon')).toBe('soon');
  });

  it('writes the time of day in 24 hours', () => {
    expect(formats.en.time(new Date(2026, 10, 30, 17, 5, 9).toISOString())).toBe('17:05:09');
  });
});

describe('plurals', () => {
  it.each([
    [1, '1 шаг'],
    [3, '3 шага'],
    [5, '5 шагов'],
    [21, '21 шаг'],
  ])('Russian counts %d steps', (count, text) => {
    expect(ru.view.steps(count)).toBe(text);
  });

  it('English knows one and many', () => {
    expect([en.view.steps(1), en.view.steps(2)]).toEqual(['1 step', '2 steps']);
  });
});
