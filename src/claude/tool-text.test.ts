import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, resultText, toolSummary } from './tool-text.ts';

describe('clip', () => {
  it('never cuts a character in two and never exceeds the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 30 }),
        (text, limit) => {
          const cut = clip(text, limit);
          expect(text.startsWith(cut)).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(limit);
          expect(Buffer.from(cut).toString()).toBe(cut);
        },
      ),
    );
  });
});

describe('toolSummary', () => {
  it.each([
    [{ file_path: '/a.ts', content: 'x' }, '/a.ts'],
    [{ description: 'List files', command: 'ls' }, 'ls'],
    [{ pattern: '*.ts', path: '/src' }, '*.ts'],
    [{ url: 'http://x', prompt: 'read' }, 'http://x'],
    [{ count: 3, words: 'first text' }, 'first text'],
    [{ file_path: '', command: 'ls' }, 'ls'],
    [{ count: 3 }, ''],
    ['text', ''],
    [null, ''],
  ])('%j is %j', (input, summary) => {
    expect(toolSummary(input)).toBe(summary);
  });
});

describe('resultText', () => {
  it.each([
    ['plain', 'plain'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    [[{ type: 'image', source: {} }], '[image]'],
    [[null, 'x', { text: 'no type' }], ''],
    [undefined, ''],
  ])('%j is %j', (content, text) => {
    expect(resultText(content)).toBe(text);
  });
});
