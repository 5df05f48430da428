import { describe, expect, it } from 'vitest';
import { displayWidth } from '../terminal/width.ts';
import { en } from './en.ts';
import { languages } from './language.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { ru } from './ru.ts';
import { zh } from './zh.ts';

/** Names of all texts, `group.name`. */
function names(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    typeof item === 'object' && item !== null ? names(item, `${prefix}${name}.`) : prefix + name,
  );
}

/** All texts; functions are called with values that every text of ours can take. */
function texts(value: object): string[] {
  return Object.values(value).flatMap((item: unknown) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'object' && item !== null) return texts(item);
    return [];
  });
}

describe('catalogues', () => {
  it.each(languages)('%s is loaded under its own name', async (language) => {
    expect((await loadCatalogue(language)).language).toBe(language);
  });

  it.each([
    ['zh', zh],
    ['ru', ru],
  ])('%s has the texts of en and no other', (_language, catalogue) => {
    expect(names(catalogue).sort()).toEqual(names(en).sort());
  });

  it.each([
    ['zh', zh, /\p{Script=Han}/u],
    ['ru', ru, /\p{Script=Cyrillic}/u],
  ])('%s error texts are in its language and carry their data', (_language, catalogue, script) => {
    const text = catalogue.errors.busy({ what: 'flow', pid: 4711, since: '12:00' });
    expect(text).toMatch(script);
    expect(text).toContain('4711');
    expect(catalogue.errors['credentials-missing']({})).toMatch(/ANTHROPIC_API_KEY/);
    expect(catalogue.errors['workspace-missing']({ path: '/p' })).toMatch(script);
  });

  it.each([
    ['en', en],
    ['zh', zh],
    ['ru', ru],
  ])('%s has no empty text', (_language, catalogue) => {
    for (const text of texts(catalogue)) expect(displayWidth(text)).toBeGreaterThan(0);
  });

  it.each([
    ['en', en],
    ['zh', zh],
    ['ru', ru],
  ])('%s alarms and notices name the data that they carry', (_language, catalogue) => {
    for (const text of [...Object.values(catalogue.alarms), ...Object.values(catalogue.notices)]) {
      expect(text({ detail: 'the-detail' })).toContain('the-detail');
    }
  });
});
