import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonView, jsonLine } from './json-view.ts';

describe('jsonLine', () => {
  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(jsonLine({ text }))).toEqual({ text });
      }),
    );
  });

  it('holds nothing that a terminal acts on', () => {
    const line = jsonLine({ text: 'a\u001b[2J\u009b2J\u202e\u007f\u2028\nb' });
    expect(line).toMatch(/^[\u0020-\u007e]*$/);
  });
});

describe('createJsonView', () => {
  it('writes one event a line', () => {
    const written: string[] = [];
    const view = createJsonView({ write: (text) => written.push(text) });
    const scope = { v: 1, at: '2026-01-01T00:00:00Z', run: 'r', step: 's', label: 's' } as const;
    view({ ...scope, type: 'text', text: 'one\ntwo' });
    view({ ...scope, type: 'thinking', text: '' });
    const lines = written.join('').split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ v: 1, type: 'text', text: 'one\ntwo' });
    expect(lines[2]).toBe('');
  });
});
