import type { DoctorTexts } from './doctor-texts.ts';
import { createFormats } from './formats.ts';

const formats = createFormats('ru');

const sized = (size: string): string => (size === '' ? '' : `, ${size}`);
const states: Readonly<Record<string, string>> = {
  passed: 'пройден и не повторяется',
  unfinished: 'продолжится с места обрыва',
  spoken: 'заговорит снова',
};
const caches: Readonly<Record<string, string>> = { warm: ', кэш тёплый', cold: ', кэш остыл' };

/** Russian texts of the doctor. */
export const doctorRu: DoctorTexts = {
  help: {
    command: 'сказать, что здесь не так и что делать; --clean убирает остатки и старое',
    options: {
      clean: 'завершить осиротевшие процессы, убрать остатки и ненужные старые сеансы',
      olderThan: 'возраст старого, например 30d, 12h (по умолчанию 30d)',
      largerThan: 'убирать и самые старые сеансы, пока база больше, например 1GB',
      dryRun: 'только сказать, что сделает --clean',
    },
  },
  expectedAge: 'возраст, например 30d, 12h или 90m',
  expectedSize: 'размер, например 500MB или 1GB',
  place: (workspace, runDir) => `рабочий каталог ${workspace}, записи в ${runDir}`,
  levels: { good: 'верно', notice: 'к сведению', problem: 'ПЛОХО' },
  findings: {
    'run-dir-absent': () => 'Записей здесь ещё нет. Делать нечего.',
    'run-dir-unwritable': () =>
      'В каталог запусков нельзя писать. Дайте себе право или укажите другой через -r.',
    'run-live': (param) => `Здесь идёт запуск: процесс ${param('pid')} с ${param('since')}.`,
    'database-absent': () => 'Базы ещё нет. Её создаст следующий запуск.',
    'database-sound': (param) =>
      `База цела: ${param('bytes')}, из них свободно ${param('freeBytes')}.`,
    'database-damaged': (param) =>
      `База повреждена (${param('detail')}). Повторите свою команду или вызовите --clean: она будет отложена целиком, а всё, что читается, продолжится.`,
    'database-locked': () =>
      'База заблокирована другой программой. Завершите её и посмотрите снова.',
    'database-newer': (param) =>
      `База записана более новым flower (формат ${param('version')}). Обновите flower.`,
    'database-older': (param) =>
      `База старого вида (${param('version')}). Следующий запуск её обновит.`,
    'database-big': (param) =>
      `База велика (${param('bytes')}). --clean --larger-than 1GB уберёт самые старые ненужные сеансы.`,
    'disk-free': (param) => `На диске есть место: свободно ${param('bytes')}.`,
    'disk-low': (param) => `Диск почти полон: свободно ${param('bytes')}. Освободите место.`,
    'lineage-sound': (param) => `Родословная цела: пробуждение ${param('woke')}.`,
    'lineage-absent': () => 'Родословной нет: следующий запуск начнёт сначала.',
    'lineage-damaged': () =>
      'lineage.json повреждён. Следующий запуск отложит его и начнёт сначала; если есть копия, сперва верните её.',
    'lineage-elsewhere': (param) =>
      `Записи относятся к ${param('workspace')}: следующий запуск здесь начнёт сначала.`,
    'lineage-moved': (param) =>
      `Записи относятся к ${param('workspace')}, которого больше нет. Если он перенесён сюда, запустите с --moved, и всё продолжится.`,
    resumes: (param) =>
      `Шаг «${param('step')}» ${states[param('state')] ?? param('state')}: сеанс ${param('session')}, контекст ${param('context')}${caches[param('cache')] ?? ''}.`,
    'resumes-nothing': () => 'Продолжать нечего: сеансов нет.',
    orphans: (param) =>
      `Ещё работают процессы умершего запуска: ${param('count')} (${param('pids')}). Их завершит следующий запуск или --clean.`,
    'killed-rows': (param) =>
      `Убитых запусков: ${param('count')}. Их строки запишет следующий запуск.`,
    'resume-folders': (param) =>
      `Каталогов прерванных продолжений: ${param('count')}, ${param('bytes')}. --clean заберёт записи и уберёт их: ${param('paths')}`,
    'stub-files': (param) =>
      `Заглушек, с которых Claude Code не смог продолжить: ${param('count')}. --clean уберёт: ${param('paths')}`,
    'set-aside': (param) =>
      `Отложенных файлов: ${param('count')}, ${param('bytes')}. --clean уберёт старые: ${param('paths')}`,
    'dead-locks': (param) => `Замков умерших процессов: ${param('count')}. --clean их уберёт.`,
    'temporary-files': (param) => `Файлов оборванной записи: ${param('count')}. --clean их уберёт.`,
    'old-sessions': (param) =>
      `Сеансов старше 30 дней, на которые ничто не ссылается: ${param('count')}, ${param('bytes')}. --clean их уберёт.`,
  },
  cleaned: {
    orphans: (count) => `процессы умерших запусков: ${count}`,
    'database-mended': () => 'повреждённая база отложена и восстановлена',
    'resume-folders': (count, size) => `каталоги прерванных продолжений: ${count}${sized(size)}`,
    'stub-files': (count, size) => `заглушки: ${count}${sized(size)}`,
    'set-aside': (count, size) => `отложенные файлы: ${count}${sized(size)}`,
    'dead-locks': (count) => `замки умерших процессов: ${count}`,
    'temporary-files': (count) => `оборванная запись: ${count}`,
    'old-sessions': (count, size) => `старые сеансы: ${count}${sized(size)}`,
    'free-space': (_count, size) => `возвращено диску: ${size === '' ? '0' : size}`,
  },
  nothingCleaned: 'Убирать нечего.',
  dryRun: 'Вот что сделает --clean:',
  summary: (problems) =>
    problems === 0
      ? 'Всё в порядке.'
      : `${formats.counted(problems, { one: 'неполадка', few: 'неполадки', many: 'неполадок', other: 'неполадки' })}.`,
};
