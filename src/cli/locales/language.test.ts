import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './language.ts';

describe('chooseLanguage', () => {
  it.each([
    ['--lang wins', ['run', '--lang', 'zh'], { FLOWER_LANG: 'ru' }, 'zh'],
    ['--lang=ru too', ['--lang=ru'], { LANG: 'zh_CN.UTF-8' }, 'ru'],
    ['the last --lang counts', ['--lang', 'zh', '--lang', 'ru'], {}, 'ru'],
    ['a --lang after -- is text', ['once', '--', '--lang', 'zh'], {}, 'en'],
    ['an unknown --lang leaves it to the environment', ['--lang', 'xx'], { LANG: 'ru_RU' }, 'ru'],
    ['FLOWER_LANG comes before the system', [], { FLOWER_LANG: 'zh', LC_ALL: 'ru_RU' }, 'zh'],
    ['an unknown FLOWER_LANG is passed over', [], { FLOWER_LANG: 'fr', LANG: 'ru_RU' }, 'ru'],
    ['LC_ALL comes before LANG', [], { LC_ALL: 'zh_TW.UTF-8', LANG: 'ru_RU' }, 'zh'],
    ['LC_MESSAGES comes before LANG', [], { LC_MESSAGES: 'ru', LANG: 'zh_CN' }, 'ru'],
    ['an empty LC_ALL is passed over', [], { LC_ALL: '', LANG: 'zh_CN' }, 'zh'],
    ['LC_ALL=C is English', [], { LC_ALL: 'C', LANG: 'zh_CN' }, 'en'],
    ['C.UTF-8 is English', [], { LANG: 'C.UTF-8' }, 'en'],
    ['another language is English', [], { LANG: 'de_DE.UTF-8' }, 'en'],
    ['nothing is English', [], {}, 'en'],
  ] as const)('%s', (_name, args, env, language) => {
    expect(chooseLanguage(args, env)).toBe(language);
  });
});
