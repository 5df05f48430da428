import { FlowerError } from '../errors/flower-error.ts';
import type { Catalogue } from './locales/catalogue.ts';

const ages: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const sizes: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** An age in milliseconds: a number with `m`, `h`, `d` or `w`. */
export function ageOption(option: string, texts: Catalogue): (value: string) => number {
  return (value) => measured(option, value, { units: ages, expected: texts.doctor.expectedAge });
}

/** A size in bytes: a number with `kB`, `MB`, `GB` or `TB`. */
export function sizeOption(option: string, texts: Catalogue): (value: string) => number {
  return (value) => measured(option, value, { units: sizes, expected: texts.doctor.expectedSize });
}

function measured(
  option: string,
  value: string,
  { units, expected }: { units: Readonly<Record<string, number>>; expected: string },
): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(value);
  const unit = units[match?.[2]?.toLowerCase() ?? ''];
  if (match === null || unit === undefined) {
    throw new FlowerError('option-invalid', { option, value: `"${value}"`, expected });
  }
  return Number(match[1]) * unit;
}
