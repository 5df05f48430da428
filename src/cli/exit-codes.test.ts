import { describe, expect, it } from 'vitest';
import { errorMessages, type FlowerErrorCode } from '../errors/error-messages.ts';
import { exitCodeOf, exitCodeOfFailure } from './exit-codes.ts';

const isCode = (name: string): name is FlowerErrorCode => Object.hasOwn(errorMessages, name);

describe('exitCodeOf', () => {
  it.each([
    ['usage', 2],
    ['flow-broken', 2],
    ['flow-attribute', 2],
    ['workspace-missing', 2],
    ['run-dir-unwritable', 1],
    ['credentials-missing', 1],
    ['busy', 75],
  ] as const)('%s gives %i', (code, exitCode) => {
    expect(exitCodeOf(code)).toBe(exitCode);
  });

  it('is one of 1, 2 and 75 for every error', () => {
    for (const code of Object.keys(errorMessages).filter(isCode)) {
      expect([1, 2, 75]).toContain(exitCodeOf(code));
    }
  });

  it('is 1 for the error of a newer flower', () => {
    expect(exitCodeOf('from-the-future' as FlowerErrorCode)).toBe(1);
  });
});

describe('exitCodeOfFailure', () => {
  it.each([
    ['limited', null, 75],
    ['transient', 'api_error', 75],
    ['fatal', null, 1],
    ['fatal', 'max_turns', 1],
    ['fatal', 'budget_exhausted', 4],
    ['fatal', 'error_max_budget_usd', 4],
    ['overflow', 'prompt_too_long', 1],
    ['unknown', null, 1],
    [null, null, 1],
  ] as const)('a step that failed as %s (%s) gives %i', (failure, terminalReason, exitCode) => {
    expect(exitCodeOfFailure({ failure, terminalReason })).toBe(exitCode);
  });

  it('is 1 for a step without a result', () => {
    expect(exitCodeOfFailure(undefined)).toBe(1);
  });
});
