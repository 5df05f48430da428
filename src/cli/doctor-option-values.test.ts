import { describe, expect, it } from 'vitest';
import { ageOption, sizeOption } from './doctor-option-values.ts';
import { en } from './locales/en.ts';

describe('ageOption', () => {
  it.each([
    ['30d', 30 * 86_400_000],
    ['12h', 12 * 3_600_000],
    ['1.5 h', 5_400_000],
    ['90M', 5_400_000],
    ['2w', 14 * 86_400_000],
    ['0d', 0],
  ])('%s is %i ms', (value, ageMs) => {
    expect(ageOption('--older-than', en)(value)).toBe(ageMs);
  });

  it.each(['', '30', 'd', '-3d', '3 years', '1GB'])('"%s" is none', (value) => {
    expect(() => ageOption('--older-than', en)(value)).toThrow('an age');
  });
});

describe('sizeOption', () => {
  it.each([
    ['1GB', 1e9],
    ['500mb', 5e8],
    ['1.5 kB', 1500],
  ])('%s is %i bytes', (value, bytes) => {
    expect(sizeOption('--larger-than', en)(value)).toBe(bytes);
  });

  it.each(['', '1', 'GB', '1G', '30d'])('"%s" is none', (value) => {
    expect(() => sizeOption('--larger-than', en)(value)).toThrow('a size');
  });
});
