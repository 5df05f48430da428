import { describe, expect, it } from 'vitest';
import { FlowerError } from '../errors/flower-error.ts';
import { en } from './locales/en.ts';
import { ru } from './locales/ru.ts';
import { reportError } from './report-error.ts';

function report(
  error: unknown,
  options: { debug?: boolean; texts?: typeof en } = {},
): {
  code: number;
  text: string;
} {
  let text = '';
  const stderr = { write: (chunk: string) => (text += chunk) };
  const code = reportError(error, { stderr, texts: en, debug: false, ...options });
  return { code, text };
}

describe('reportError', () => {
  it("tells an error of flower in the reader's language", () => {
    const error = new FlowerError('workspace-missing', { path: '/none' });
    expect(report(error, { texts: ru })).toEqual({
      code: 2,
      text: 'flower: Рабочий каталог /none не является каталогом. Создайте его или укажите другой через -w.\n',
    });
  });

  it('tells any other exception in one line and names --debug', () => {
    expect(report(new TypeError('x is not\na function'))).toEqual({
      code: 1,
      text: 'flower: unexpected error: x is not a function; run again with --debug for the stack\n',
    });
  });

  it('prints the stack only with --debug', () => {
    expect(report(new Error('boom'), { debug: true }).text).toMatch(/\n\s+at /);
  });

  it('lets no escape sequence through', () => {
    expect(report('\u001b[31mred').text).not.toContain('\u001b');
  });
});
