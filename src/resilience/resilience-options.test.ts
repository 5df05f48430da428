import { describe, expect, it } from 'vitest';
import { FlowerError } from '../errors/flower-error.ts';
import { resilienceDefaults, resolveResilience } from './resilience-options.ts';

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('resolveResilience', () => {
  it('gives the defaults, which cannot be changed', () => {
    expect(resolveResilience()).toEqual(resilienceDefaults);
    expect(Object.isFrozen(resilienceDefaults)).toBe(true);
    expect(Object.isFrozen(resolveResilience({ maxAttempts: 2 }))).toBe(true);
  });

  it('keeps what is given', () => {
    const options = resolveResilience({ maxAttempts: 1, maxOfflineWaitMs: Infinity });
    expect(options).toEqual({ ...resilienceDefaults, maxAttempts: 1, maxOfflineWaitMs: Infinity });
  });

  it.each([
    { maxAttempts: 0 },
    { maxAttempts: 1.5 },
    { baseDelayMs: -1 },
    { maxDelayMs: Infinity },
    { probeTimeoutMs: 0 },
    { probeIntervalMs: Number.NaN },
    { maxOfflineWaitMs: -1 },
    { maxLimitWaitMs: Number.NaN },
    { resumePrompt: '  ' },
  ])('refuses %o', (options) => {
    const error = thrownBy(() => resolveResilience(options));
    const [name] = Object.keys(options);
    expect(FlowerError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'option-invalid',
      params: { option: `resilience.${name}` },
    });
  });

  it('refuses an unknown name', () => {
    const options: object = { maxTries: 3 };
    expect(thrownBy(() => resolveResilience(options))).toMatchObject({ code: 'option-invalid' });
  });

  it('tells the model nothing about the error', () => {
    expect(resilienceDefaults.resumePrompt).not.toMatch(/error|network|connection|API|status/i);
  });
});
