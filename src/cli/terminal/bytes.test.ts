import { describe, expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [4_234_567, '4.2 MB'],
    [42_000_000, '42 MB'],
    [1_500_000_000, '1.5 GB'],
    [3e15, '3000 TB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
