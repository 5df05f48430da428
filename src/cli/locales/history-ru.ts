import type { ArchiveFault } from '../../errors/error-messages.ts';
import { createFormats } from './formats.ts';
import type { HistoryTexts } from './history-texts.ts';

const formats = createFormats('ru');

const rows = (value: number): string =>
  formats.counted(value, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' });
const files = (value: number): string =>
  formats.counted(value, { one: 'файл', few: 'файла', many: 'файлов', other: 'файла' });
const sessions = (value: number): string =>
  formats.counted(value, { one: 'сеанс', few: 'сеанса', many: 'сеансов', other: 'сеанса' });

/** Why an exported run cannot be used, in Russian. */
export const archiveFaultsRu: Readonly<Record<ArchiveFault, string>> = {
  missing: 'его нельзя прочитать',
  foreign: 'это не файл «flower export»',
  newer: 'его записал более новый flower; обновите flower',
  cut: 'он обрывается; скопируйте или выгрузите его снова',
  content: 'его содержимое повреждено',
};

/** Russian texts of what exists: taking over, moving and looking at conversations. */
export const historyRu: HistoryTexts = {
  help: {
    commands: {
      adopt: 'сделать разговор из обычного Claude Code сеансом шага',
      export: 'записать весь запуск в один файл',
      import: 'продолжить выгруженный запуск в этом каталоге',
      log: 'показать историю каталога или разговор шага либо сеанса',
      transcript: 'проверить записи разговоров',
      check: 'показать, что получит модель при продолжении, что исправлено и что опущено',
    },
    arguments: {
      conversation: 'номер сеанса или путь к файлу .jsonl; без него будет список',
      exportFile: 'файл для записи; прежняя выгрузка в нём заменяется',
      importFile: 'файл, который записал «flower export»',
      subject: 'шаг, номер сеанса или его начало',
      transcript: 'файл .jsonl, номер сеанса или шаг',
    },
    options: {
      last: 'взять самый новый разговор этого каталога',
      step: 'шаг, который его продолжит; для именованного сценария <сценарий>/<шаг> (по умолчанию work)',
      withSecrets: 'оставить секреты окружения, не заменяя их',
      all: 'показывать результаты инструментов целиком',
    },
  },
  expectedStep: 'имя шага или <сценарий>/<шаг>; без # и ·, без _ в начале',
  adopt: {
    done: (step, session) => `Сеанс ${session} теперь принадлежит шагу «${step}».`,
    rows: (all, added, agents) =>
      `${rows(all)}, новых ${formats.count(added)}${agents === 0 ? '' : `, субагентов ${formats.count(agents)}`}`,
    damaged: (pieces) => `частей файла, которые не удалось прочитать: ${formats.count(pieces)}`,
    original: (path) => `копия исходного файла: ${path}`,
    replaced: (session) =>
      `прежний сеанс шага ${session} остаётся в базе данных, но не продолжается`,
    next: (flow, step) =>
      flow === ''
        ? `Его продолжит сценарий без имени на шаге «${step}». ` +
          'Для именованного укажите --step <сценарий>/<шаг>.'
        : `Его продолжит сценарий «${flow}» на шаге «${step}».`,
    none: (workspace) => `У Claude Code нет разговора каталога ${workspace}, который можно взять.`,
    choose: (all) =>
      `Разговоров: ${formats.count(all)}; укажите номер сеанса или возьмите самый новый с --last.`,
    columns: { session: 'сеанс', last: 'изменён', prompt: 'начало' },
  },
  transfer: {
    exported: (file, all, entries, carried) =>
      `${file}: ${sessions(all)}, ${rows(entries)}, ${files(carried)}`,
    redacted: 'Секреты окружения заменены; --with-secrets их оставляет.',
    withSecrets: 'В файле могут быть секреты: передавайте его осторожно.',
    imported: (from, all, entries, carried) =>
      `взято из ${from}: ${sessions(all)}, ${rows(entries)}, ${files(carried)}`,
    place: (workspace, runDir) => `продолжится в ${workspace}, записи в ${runDir}`,
    steps: (names) => `шаги с сеансом: ${names}`,
  },
  log: {
    nothing: (runDir) => `В ${runDir} нет истории.`,
    run: (run) => `запуск ${run}`,
    flow: (name) => `сценарий ${name}`,
    unnamedFlow: 'сценарий без имени',
    single: 'отдельный агент',
    woke: (value) => `пробуждение ${formats.count(value)}`,
    outcome: { finished: 'закончен', unfinished: 'не закончен', running: 'идёт сейчас' },
    verdict: {
      ok: 'принято',
      rejected: 'отклонено',
      failed: 'неудача',
      cut: 'оборвано',
      running: 'идёт',
    },
    columns: {
      step: 'шаг',
      verdict: 'итог',
      cost: 'цена',
      duration: 'время',
      context: 'контекст',
      start: 'начало',
      session: 'сеанс',
    },
    noAttempts: 'попыток не записано',
    committed: (before, after, changes) => `git ${before} -> ${after}: ${changes}`,
    nothingCommitted: (head) => `git ${head}, коммитов нет`,
    uncommitted: (changes, untracked) =>
      `вместе с незакоммиченным: ${changes}${untracked === 0 ? '' : `, неотслеживаемых ${formats.count(untracked)}`}`,
    changes: (all, insertions, deletions) =>
      `${files(all)}, +${formats.count(insertions)} -${formats.count(deletions)}`,
    total: (cost) => `всего ${cost}`,
  },
  transcript: {
    roles: { user: 'пользователь', assistant: 'ассистент', note: 'примечание' },
    subagent: 'субагент',
    compacted: 'здесь разговор был сжат',
    more: (lines) => `... ещё ${rows(lines)}`,
    safe: 'Продолжать безопасно.',
    unsafe:
      'Продолжать НЕ безопасно: нет строк, которые стояли перед началом. Поищите их в файле Claude Code или в резервной копии.',
    counts: (entries, dropped, repaired) =>
      `получит модель: ${rows(entries)}, опущено: ${formats.count(dropped)}, исправлено: ${formats.count(repaired)}`,
    dropped: {
      'api-error': 'сообщение о неудачном запросе',
      placeholder: 'заглушка, которую никто не говорил',
      'api-retry': 'отметка о повторном запросе',
      'cost-state': 'итог Claude Code, он был бы посчитан дважды',
      denial: 'отклонённый вызов, старше того, что остаётся',
      'orphan-result': 'результат без вызова',
      'half-message': 'сообщение, оборванное до полного ответа',
      duplicate: 'прежняя версия строки, записанной снова',
      'prompt-snapshot': 'системный запрос другой роли',
      'last-prompt': 'указатель на строку, от которой ничего не осталось',
      damaged: 'часть файла, которая не является строкой',
    },
    repaired: {
      parent: 'родителя нет; прикреплено к предыдущей строке',
      order: 'записано после потомка; переставлено перед ним',
      anchor: 'родитель исчез при сжатии; прикреплено к сводке',
      compaction: 'сжатие называло строки, которых нет',
      'last-prompt': 'указатель переведён на оставшуюся строку',
      interrupt: 'текст прерывания заменён нейтральным',
      denial: 'отклонённый вызов убран из сообщения',
      'orphan-result': 'результат без вызова убран из сообщения',
      surrogate: 'неполные символы заменены',
      'session-id': 'был назван другой сеанс',
    },
    droppedTitle: 'опущено',
    repairedTitle: 'исправлено',
    rest: (value) => `и ещё ${formats.count(value)}; --json перечислит все`,
  },
};
