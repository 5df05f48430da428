import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockPath } from './lock-path.ts';

describe('lockPath', () => {
  it.each([
    ['flow nightly', 'flow-nightly-'],
    ['../../etc/passwd', 'etc-passwd-'],
    ['干活', 'lock-'],
    ['', 'lock-'],
    ['a'.repeat(300), `${'a'.repeat(40)}-`],
  ])('names "%s" readably, inside the locks folder', (name, prefix) => {
    const path = lockPath('/runs', name);
    expect(path.startsWith(`/runs/locks/${prefix}`)).toBe(true);
    expect(path).toMatch(/^\/runs\/locks\/[A-Za-z0-9-]{1,60}\.lock$/);
  });

  it('gives different names different files, whatever the file system makes of case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const isSame = lockPath('/r', a).toLowerCase() === lockPath('/r', b).toLowerCase();
        expect(isSame).toBe(a === b);
      }),
    );
    expect(lockPath('/r', 'Work').toLowerCase()).not.toBe(lockPath('/r', 'work').toLowerCase());
  });
});
