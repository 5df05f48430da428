import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize, sanitizeLine } from './sanitize.ts';

describe('sanitize', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a title change', '\u001b]0;owned\u0007text', 'text'],
    ['a clipboard write', 'a\u001b]52;c;ZWNobyBvd25lZA==\u001b\\b', 'ab'],
    ['a hyperlink, its text stays', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a device control string with its body', 'a\u001bPq#0;2;0;0;0#0~~@@\u001b\\b', 'ab'],
    ['an application command with its body', 'a\u001b_Gf=100;AAAA\u001b\\b', 'ab'],
    ['a privacy message and a start of string', 'a\u001b^x\u001b\\b\u001bXy\u001b\\c', 'abc'],
    ['an 8-bit colour', '\u009b31mred', 'red'],
    ['an 8-bit operating system command', 'a\u009d0;t\u009cb', 'ab'],
    ['a reset and a character set', '\u001bc\u001b(Bok', 'ok'],
    ['a string command over several lines', 'a\u001b]0;x\ny\u0007b', 'ab'],
    ['a string command without an end, up to the end of its line', 'a\u001b]0;x\nb', 'a\nb'],
    ['a cursor movement that another one hides', '\u001b\u001b[2J[31mx', '[31mx'],
    ['bell, backspace, NUL, carriage return', 'a\u0007b\u0008c\u0000d\re', 'abcde'],
    ['delete and C1 controls', 'a\u007fb\u0085c', 'abc'],
    ['direction overrides and isolates', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['invisible characters and tags', 'a\u200bb\ufeffc\u{e0041}d', 'abcd'],
    ['lone surrogates', 'a\ud83db\ude00c', 'abc'],
  ])('removes %s', (_name, text, safe) => {
    expect(sanitize(text)).toBe(safe);
  });

  it.each([
    ['newlines', 'a\nb', 'a\nb'],
    ['line ends of other systems as newlines', 'a\r\nb\u2028c', 'a\nb\nc'],
    ['tabs as spaces', 'a\tb', 'a    b'],
    ['CJK, Cyrillic and combining marks', '你好 мир e\u0301', '你好 мир e\u0301'],
    ['emoji families', '👨‍👩‍👧 ok', '👨‍👩‍👧 ok'],
  ])('keeps %s', (_name, text, safe) => {
    expect(sanitize(text)).toBe(safe);
  });

  it('keeps tabs for files', () => {
    expect(sanitize('all:\n\tcc x.c', { keepTabs: true })).toBe('all:\n\tcc x.c');
  });

  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u001b', '\u009b', '\u009d', '\u0090', '\u009c', '\u0007', '\r', '\t'),
      fc.constantFrom('[', ']', 'P', '_', '\\', ';', 'm', '31', '\n', '\u202e', '\u{e0020}'),
      fc.constantFrom('\ud83d', '\ude00', '你', 'a', '👩‍🔬'),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    ),
    maxLength: 60,
  });

  it('lets no control character but a newline through', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = sanitize(text);
        expect(safe).not.toMatch(/(?!\n)\p{Cc}|\p{Surrogate}/u);
        expect(safe).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitize(sanitize(text))).toBe(sanitize(text));
      }),
    );
  });

  it('keeps ordinary text as it is', () => {
    const ordinary = fc.string({
      unit: fc.constantFrom('a', ' ', '你', 'ж', '.', '\n', '[', ']', ';', '😀'),
    });
    fc.assert(
      fc.property(ordinary, (text) => {
        expect(sanitize(text)).toBe(text);
      }),
    );
  });

  it('takes linear time for text full of unfinished sequences', () => {
    const text = '\u001b]0;'.repeat(100_000) + '\u009b1;'.repeat(100_000);
    const before = performance.now();
    expect(sanitize(text)).toBe('');
    expect(performance.now() - before).toBeLessThan(3000);
  });
});

describe('sanitizeLine', () => {
  it('makes one line of several', () => {
    expect(sanitizeLine(' a\n  b\tc\r\n')).toBe('a b c');
  });
});
