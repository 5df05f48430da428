import type { Catalogue } from './catalogue.ts';
import type { Language } from './language.ts';

/** Loads the texts of one language; the others stay unread. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  switch (language) {
    case 'en':
      return (await import('./en.ts')).en;
    case 'zh':
      return (await import('./zh.ts')).zh;
    case 'ru':
      return (await import('./ru.ts')).ru;
  }
}
