import { describe, expect, it } from 'vitest';
import { parseDotenv } from './dotenv.ts';

describe('parseDotenv', () => {
  it.each<[string, Record<string, string>]>([
    ['A=1', { A: '1' }],
    ['  A =  1  ', { A: '1' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['# A=1\n\nB=2\nno equals sign\n', { B: '2' }],
    ['A=b=c', { A: 'b=c' }],
    ['A="quoted"', { A: 'quoted' }],
    [`A='"both"'`, { A: 'both' }],
    ['A="unpaired', { A: 'unpaired' }],
    ['A=', { A: '' }],
    ['A=""', { A: '' }],
    ['=1', {}],
    ['A=1 # no comment', { A: '1 # no comment' }],
    ['export A=1', { 'export A': '1' }],
    ['A=$B', { A: '$B' }],
    ['A=1\nA=2', { A: '2' }],
    ['', {}],
  ])('%j gives %j', (text, expected) => {
    expect(Object.fromEntries(parseDotenv(text))).toEqual(expected);
  });
});
