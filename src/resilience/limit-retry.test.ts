import { describe, expect, it } from 'vitest';
import { limitRetryAt } from './limit-retry.ts';

describe('limitRetryAt', () => {
  const now = new Date('2026-11-30T14:45:20Z');

  it('prefers the structured reset', () => {
    const facts = {
      limitResetsAt: Date.parse('2026-11-30T16:00:00Z') / 1000,
      message: 'resets 9pm',
    };
    expect(limitRetryAt(facts, now, 'UTC')).toEqual(new Date('2026-11-30T16:00:30Z'));
  });

  it('waits a margin when the structured reset has passed', () => {
    const facts = { limitResetsAt: Date.parse('2026-11-30T14:00:00Z') / 1000 };
    expect(limitRetryAt(facts, now)).toEqual(new Date('2026-11-30T14:45:50Z'));
  });

  it('reads the text otherwise', () => {
    expect(limitRetryAt({ message: 'limit · resets 4pm (UTC)' }, now)).toEqual(
      new Date('2026-11-30T16:00:30Z'),
    );
  });

  it('does not wait a day for a minute that has just passed', () => {
    expect(limitRetryAt({ message: 'limit · resets 3:45pm' }, now, 'Europe/Berlin')).toEqual(
      new Date('2026-11-30T14:45:50Z'),
    );
  });

  it('takes a short relative wait as it is', () => {
    expect(limitRetryAt({ message: 'limit · resets in 2m' }, now)).toEqual(
      new Date('2026-11-30T14:47:50Z'),
    );
  });

  it('knows nothing without a time', () => {
    expect(limitRetryAt({ message: 'usage limit reached' }, now)).toBeNull();
  });
});
