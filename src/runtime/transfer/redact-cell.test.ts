import { describe, expect, it } from 'vitest';
import { redactCell } from './redact-cell.ts';

const secrets = ['top "secret" value'];

describe('redactCell', () => {
  it.each<[string, string | number | null, unknown]>([
    ['a number', 7, 7],
    ['nothing', null, null],
    ['a plain text', 'a top "secret" value b', 'a [redacted] b'],
    ['JSON, however it is escaped', '{"a":"x top \\u0022secret\\" value"}', '{"a":"x [redacted]"}'],
    [
      'JSON in JSON',
      JSON.stringify({ a: JSON.stringify({ b: secrets[0] }) }),
      '{"a":"{\\"b\\":\\"[redacted]\\"}"}',
    ],
    ['a text that only looks like JSON', '{ top "secret" value', '{ [redacted]'],
  ])('replaces in %s', (_what, cell, expected) => {
    expect(redactCell(cell, secrets)).toBe(expected);
  });

  it('keeps what holds no secret byte by byte', () => {
    const cell = '{"a": 1.0,  "b":"\\u0041"}';
    expect(redactCell(cell, secrets)).toBe(cell);
  });

  it('keeps everything when nothing is to be replaced', () => {
    expect(redactCell('top "secret" value', undefined)).toBe('top "secret" value');
  });
});
