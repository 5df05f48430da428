import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncate } from './truncate.ts';
import { displayWidth, glyphs, glyphsWidth } from './width.ts';
import { wrap } from './wrap.ts';

const readable = fc.string({
  unit: fc.constantFrom(
    'a',
    'bc',
    ' ',
    '  ',
    '你',
    '好',
    '，',
    '。',
    '（',
    'ж',
    '👨‍👩‍👧',
    '🇨🇳',
    'é',
    '한',
    '-',
  ),
  maxLength: 120,
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['你好', 4],
    ['мир', 3],
    ['👨‍👩‍👧', 2],
    ['🇨🇳', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('%s takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('is the sum over the characters', () => {
    fc.assert(
      fc.property(readable, (text) => {
        expect(glyphsWidth(glyphs(text))).toBe(displayWidth(text));
      }),
    );
  });
});

describe('wrap', () => {
  it.each([
    ['at spaces', 'one two three', 8, ['one two', 'three']],
    ['a word that is too long', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['between CJK characters', '你好世界', 4, ['你好', '世界']],
    ['never before closing punctuation', '你好世，界', 6, ['你好', '世，界']],
    ['never after opening punctuation', '你好（世界）', 6, ['你好', '（世', '界）']],
    ['keeping line breaks', 'a\n\nb', 10, ['a', '', 'b']],
    ['keeping the indent of the first line', '  a b', 4, ['  a', 'b']],
    ['a wide character in one column', '你好', 1, ['你', '好']],
  ])('breaks %s', (_name, text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  it('leaves lines whole without a width', () => {
    const text = 'word '.repeat(200);
    expect(wrap(text, Number.POSITIVE_INFINITY)).toEqual([text]);
  });

  it('keeps every line within the width and loses nothing but spaces', () => {
    fc.assert(
      fc.property(readable, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

describe('truncate', () => {
  it.each([
    ['abcdefgh', 8, 'abcdefgh'],
    ['abcdefghi', 8, 'abcde...'],
    ['你好世界啊', 8, '你好...'],
    ['one two three', 7, 'one...'],
    ['abcdef', 2, 'ab'],
    ['你好', 1, ''],
  ])('%s in %i columns is %s', (text, width, short) => {
    expect(truncate(text, width)).toBe(short);
  });

  it('never exceeds the width', () => {
    fc.assert(
      fc.property(readable, fc.nat(40), (text, width) => {
        expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
