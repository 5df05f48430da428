import { describe, expect, it } from 'vitest';
import { FlowerError } from '../errors/flower-error.ts';
import { requireSafeSqlite } from './sqlite-version.ts';

function refusal(version: string): unknown {
  try {
    requireSafeSqlite(version);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('requireSafeSqlite', () => {
  it.each(['3.51.3', '3.51.10', '3.53.2', '4.0.0', '3.52'])('accepts %s', (version) => {
    expect(refusal(version)).toBeUndefined();
  });

  it.each(['3.51.2', '3.50.9', '3.7.0', '2.99.99', '3.51', ''])('refuses "%s"', (version) => {
    const error = refusal(version);
    expect(FlowerError.is(error) && error.code).toBe('option-invalid');
    expect(String(error)).toContain('3.51.3 or newer');
  });
});
