import { describe, expect, it } from 'vitest';
import { terminalFeatures, textColumns } from './terminal-features.ts';

const write = (): void => undefined;

describe('terminalFeatures', () => {
  it.each([
    ['a terminal has both', true, {}, { colours: true, cursor: true }],
    ['a pipe has none', false, {}, { colours: false, cursor: false }],
    ['NO_COLOR turns both off', true, { NO_COLOR: '1' }, { colours: false, cursor: false }],
    ['an empty NO_COLOR counts as absent', true, { NO_COLOR: '' }, { colours: true, cursor: true }],
    ['TERM=dumb turns both off', true, { TERM: 'dumb' }, { colours: false, cursor: false }],
    ['FORCE_COLOR colours a pipe', false, { FORCE_COLOR: '1' }, { colours: true, cursor: false }],
    ['FORCE_COLOR=0 does not', false, { FORCE_COLOR: '0' }, { colours: false, cursor: false }],
  ])('%s', (_name, isTTY, env, features) => {
    expect(terminalFeatures({ write, isTTY }, env)).toEqual(features);
  });
});

describe('textColumns', () => {
  it.each([
    [60, 60],
    [20, 40],
    [200, 120],
  ])('a terminal of %i columns gives text %i', (columns, width) => {
    expect(textColumns({ write, isTTY: true, columns })).toBe(width);
  });

  it('does not break lines in a pipe', () => {
    expect(textColumns({ write, columns: 80 })).toBe(Number.POSITIVE_INFINITY);
  });
});
