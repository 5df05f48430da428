import { createFormats } from './formats.ts';
import type { WakeTexts } from './wake-texts.ts';

const formats = createFormats('ru');

/** Russian texts of waking. */
export const wakeRu: WakeTexts = {
  continues: (step, parts) => `«${step}» продолжается: ${parts.join(' · ')}`,
  context: (tokens) => `контекст ${tokens}`,
  cache: { warm: 'кэш запроса тёплый', cold: 'кэш запроса остыл' },
  lastRecord: (age) => `последняя запись ${age} назад`,
  more: (count) =>
    `и ещё ${formats.counted(count, { one: 'сеанс', few: 'сеанса', many: 'сеансов', other: 'сеанса' })}`,
  cacheColumn: 'кэш',
  cacheState: { warm: 'тёплый', cold: 'остыл', unknown: '-' },
  nextWaking: (count) => `следующий запуск — пробуждение ${count}`,
  nearby: 'Рядом есть записи запусков; укажите каталог через -r:',
  nearbyRun: (runDir, workspace) => `${runDir}, рабочий каталог ${workspace}`,
};
