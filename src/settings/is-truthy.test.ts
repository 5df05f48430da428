import { describe, expect, it } from 'vitest';
import { isTruthy } from './is-truthy.ts';

describe('isTruthy', () => {
  it.each(['1', 'true', 'YES', 'on', ' 1 '])('%j is on', (value) => {
    expect(isTruthy(value)).toBe(true);
  });

  it.each([undefined, '', ' ', '0', 'false', 'No', 'OFF'])('%j is off', (value) => {
    expect(isTruthy(value)).toBe(false);
  });
});
