import type { Catalogue } from './catalogue.ts';
import { demoRu } from './demo-ru.ts';
import { doctorRu } from './doctor-ru.ts';
import { createFormats } from './formats.ts';
import { archiveFaultsRu, historyRu } from './history-ru.ts';
import { bracketed } from './params.ts';
import { peopleRu } from './people-ru.ts';
import { wakeRu } from './wake-ru.ts';

const formats = createFormats('ru');

const maybe = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` Может быть, ${suggestion}?`;

const waitReasons = {
  offline: 'нет связи',
  limit: 'исчерпан лимит',
} as const;

/** Russian texts. */
export const ru: Catalogue = {
  language: 'ru',
  formats,
  errors: {
    usage: ({ detail }) => detail,
    'flow-target': ({ target }) =>
      `В «${target}» нет имени атрибута. Пишите файл:атрибут, например flows.ts:main.`,
    'flow-not-found': ({ target, path }) =>
      `Нет файла сценария для «${target}»: ${path} не существует. Проверьте путь, он считается от текущего каталога.`,
    'flow-broken': ({ target, where, detail }) =>
      `Файл сценария «${target}» не загрузился, место ${where}: ${detail}`,
    'flow-attribute': ({ target, attribute, found }) =>
      `«${target}» не экспортирует «${attribute}». Экспортировано: ${found.length > 0 ? found.join(', ') : 'ничего'}.`,
    'flow-not-a-workflow': ({ target, found }) =>
      `«${target}» даёт ${found}: это не Workflow и не функция, которая его возвращает.`,
    'workflow-invalid': ({ workflow, detail }) => `Сценарий «${workflow}»: ${detail}`,
    'resume-from-missing': ({ step, resumeFrom }) =>
      `Шаг «${step}» продолжает «${resumeFrom}», но тот не открывал сеанса в этом запуске. ` +
      `Сначала запустите «${resumeFrom}» или уберите resumeFrom, чтобы начать новый сеанс.`,
    'workspace-missing': ({ path }) =>
      `Рабочий каталог ${path} не является каталогом. Создайте его или укажите другой через -w.`,
    'run-dir-unwritable': ({ path, detail }) =>
      `В каталог запусков ${path} нельзя писать (${detail}). Ничего не запущено. ` +
      'Разрешите запись или укажите другой через -r.',
    'credentials-missing': () =>
      'Нет учётных данных: задайте ANTHROPIC_API_KEY или ANTHROPIC_AUTH_TOKEN, войдите в Claude Code ' +
      'на этой машине или направьте ANTHROPIC_BASE_URL на локальную модель.',
    'agent-invalid': ({ agent, detail }) => `Агент «${agent}»: ${detail}`,
    'option-invalid': ({ option, value, expected }) =>
      `Значение ${option}: ${value}; нужно: ${expected}.`,
    'session-unknown': ({ session, runDir }) =>
      `В ${runDir} нет сеанса ${session}. «flower status» покажет, что там можно продолжить.`,
    'conversation-unknown': ({ what, place }) =>
      `В ${place} нет разговора ${what} из Claude Code. «flower adopt» без аргумента перечислит разговоры этого каталога.`,
    'archive-invalid': ({ path, reason }) =>
      `${path} не годится как выгруженный запуск: ${archiveFaultsRu[reason]}. Ничего не изменено.`,
    'history-missing': ({ path }) =>
      `В ${path} нет истории. Укажите каталог запусков через -r; по умолчанию это «runs» в текущем каталоге.`,
    'history-exists': ({ path }) =>
      `В ${path} уже есть история, перезаписывать её нельзя. Укажите пустой каталог запусков через -r.`,
    'lease-lost': ({ what }) =>
      `Пока этот процесс стоял, работу «${what}» взял другой. Этот завершается; ничего из сделанного не потеряно.`,
    busy: ({ what, pid, since }) =>
      `${what} занят процессом ${pid} с ${since}. Дождитесь его или сначала остановите.`,
    'platform-unsupported': ({ platform }) =>
      `flower работает в Linux и macOS, но не в ${platform}. В Windows запускайте его в WSL.`,
    'database-newer': ({ path, version }) =>
      `${path} записан более новым flower (формат ${version}). Обновите flower или укажите другой каталог запусков через -r.`,
    'database-locked': ({ path }) =>
      `${path} заблокирован другой программой. Дождитесь её конца и повторите ту же команду.`,
    'database-damaged': ({ path }) =>
      `${path} повреждён. Повторите ту же команду: файл будет отложен целиком, а всё, что читается, продолжится.`,
    'script-mismatch': ({ detail }) => `Messages API по сценарию: ${detail}`,
  },
  alarms: {
    'transcript-not-saved': (params) => `часть разговора не удалось сохранить${bracketed(params)}`,
    'transcript-incomplete': (params) =>
      `разговор начинается с середины: ранние записи утеряны${bracketed(params)}`,
    'transcript-row-late': (params) =>
      `инструмент запущен раньше, чем его вызов попал на диск${bracketed(params)}`,
    'database-set-aside': (params) =>
      `база данных повреждена и отложена, создана новая${bracketed(params)}`,
    'write-failed': (params) => `не удалось записать файл${bracketed(params)}`,
    'hook-failed': (params) => `сбой защиты, поэтому вызов отклонён${bracketed(params)}`,
    'consumer-failed': (params) => `сбой получателя событий${bracketed(params)}`,
    'lease-lost': (params) =>
      `другой процесс продолжил работу, пока этот стоял; этот завершается${bracketed(params)}`,
    'orphans-left': (params) => `процессы, запущенные агентом, ещё работают${bracketed(params)}`,
  },
  notices: {
    'workspace-moved': (params) =>
      `каталог перенесён сюда, начинаем заново; с --moved продолжится прежний разговор${bracketed(params)}`,
    'conversation-absent': (params) =>
      `прежнего разговора нет, начинаем заново${bracketed(params)}`,
    'document-frozen': (params) => `требования уточнены и записаны${bracketed(params)}`,
    'goal-unverifiable': (params) =>
      `часть проверок цели здесь проверить нельзя; поправьте файл, иначе она не будет достигнута${bracketed(params)}`,
    'file-set-aside': (params) => `файл чужой или повреждён, он отложен${bracketed(params)}`,
    'api-retry': (params) => `Claude Code повторяет запрос к API${bracketed(params)}`,
    'orphans-ended': (params) => `оставшиеся процессы завершены${bracketed(params)}`,
    'killed-segment': (params) => `прежний запуск был здесь убит${bracketed(params)}`,
    'model-differs': (params) => `ответила не та модель, которую просили${bracketed(params)}`,
    'project-settings-ignored': (params) =>
      `.claude/ и CLAUDE.md проекта не читаются; их читает --project-settings${bracketed(params)}`,
    'rows-recovered': (params) =>
      `взяты записи, которые сохранил только Claude Code${bracketed(params)}`,
    'silent-stream': (params) => `агент давно молчит${bracketed(params)}`,
    'value-not-stored': (params) =>
      `значение нельзя сохранить до следующего запуска, его шаг выполнится снова${bracketed(params)}`,
    'version-differs': (params) => `версии при продолжении другие${bracketed(params)}`,
  },
  usage: {
    unknownOption: (option, suggestion) => `Неизвестный ключ ${option}.${maybe(suggestion)}`,
    unknownCommand: (command, suggestion) =>
      `Неизвестная команда «${command}».${maybe(suggestion)}`,
    missingArgument: (argument) => `Не хватает аргумента <${argument}>.`,
    missingValue: (option) => `Ключу ${option} нужно значение.`,
    tooManyArguments: () => 'Слишком много аргументов. Текст с пробелами берите в кавычки.',
    conflict: (option, other) => `${option} нельзя указывать вместе с ${other}.`,
    needs: (option, other) => `Для ${option} нужен ${other}.`,
    other: (detail) => `Неверный вызов: ${detail}`,
    emptyPrompt: () => 'Запрос пуст.',
    unreadableFile: (path, reason) => `Не удалось прочитать файл ${path}: ${reason}`,
    expectedMoney: 'сумма в долларах США больше нуля, например 0.50',
    expectedLanguage: 'en, zh или ru',
    expectedPermissionMode: 'default, acceptEdits, plan или bypassPermissions',
    expectedName: 'непустое имя',
  },
  process: {
    unexpected: (message) =>
      `непредвиденная ошибка: ${message}; запустите с --debug, чтобы увидеть стек`,
    stopping: 'Останавливаемся по порядку. Ещё раз Ctrl-C — остановить сразу.',
  },
  help: {
    description:
      'Выполняет долгие задачи с Claude Code несмотря на сбои, перезагрузки и обрывы связи. ' +
      'Повторите ту же команду, и тот же разговор продолжится.',
    titles: {
      usage: 'Вызов:',
      arguments: 'Аргументы:',
      options: 'Ключи:',
      globalOptions: 'Общие ключи:',
      commands: 'Команды:',
    },
    optionsWord: '[ключи]',
    commandWord: '<команда>',
    commands: {
      run: 'выполнить ваш сценарий или продолжить его с места обрыва',
      once: 'выполнить одного агента без сценария; ответ идёт в stdout',
      status: 'показать, что здесь продолжится; ничего не стоит',
      demo: 'попробовать всё без сети на модели по сценарию',
      help: 'показать справку по команде',
    },
    arguments: {
      target: 'сценарий как файл:атрибут или модуль:атрибут, например flows.ts:main',
      prompt: 'что сделать агенту; - читает стандартный ввод, @файл читает файл',
      command: 'имя команды',
    },
    options: {
      workspace: 'каталог, в котором работают агенты (по умолчанию текущий)',
      runDir: 'каталог разговоров и записей (по умолчанию runs)',
      lang: 'язык текстов: en, zh или ru (по умолчанию FLOWER_LANG, затем системный)',
      json: 'печатать данные для программ в stdout; запуск печатает по событию в строке',
      verbose: 'показывать запросы, субагентов и все результаты инструментов',
      quiet: 'показывать только ошибки',
      debug: 'показать стек непредвиденной ошибки',
      version: 'напечатать версию',
      help: 'показать эту справку',
      model: 'модель вместо указанной в сценарии',
      projectSettings: 'читать .claude/ и CLAUDE.md проекта',
      new: 'закрыть прежний разговор этого сценария и начать заново',
      moved: 'продолжить, хотя каталог перенесён сюда',
      from: 'начать с этого шага; значения прежних шагов читаются заново',
      only: 'выполнить только этот шаг; значения прежних шагов читаются заново',
      fresh: 'дать этому шагу новый сеанс (можно указать несколько раз)',
      instructions: 'роль агента, добавляется к его системному запросу',
      tools: 'разрешённые инструменты через запятую (по умолчанию Read,Glob,Grep)',
      permissionMode: 'default, acceptEdits, plan или bypassPermissions',
      budget: 'остановиться, когда потрачено столько долларов США',
      resume: 'продолжить сеанс с этим номером',
      fork: 'ответвить продолжаемый сеанс, а не дописывать его',
      at: 'сначала вернуться к этому сообщению продолжаемого сеанса',
    },
    footer:
      'Коды выхода: 0 готово, 1 неудача, 2 неверный вызов, 4 бюджет исчерпан, 75 повторите позже, 130 остановлено по Ctrl-C.',
  },
  view: {
    steps: (count) =>
      formats.counted(count, { one: 'шаг', few: 'шага', many: 'шагов', other: 'шага' }),
    continuing: (woke) => `продолжаем · пробуждение ${woke}`,
    place: (workspace, runDir) => `в ${workspace}, записи в ${runDir}`,
    skipped: {
      when: 'пропущен: условие не выполнено',
      'already-passed': 'пропущен: пройден до обрыва запуска',
    },
    stepDone: (cost, duration, context) => `готово: ${cost}, ${duration}, контекст ${context}`,
    stepFailed: (error) => `неудача: ${error}`,
    retry: (attempt, error, delay) =>
      `попытка ${attempt} не удалась: ${error}; повтор через ${delay}`,
    denied: (step, tool, reason) => `шаг «${step}»: ${tool} запрещён: ${reason}`,
    toolFailed: (tool) => `${tool}: неудача`,
    prompt: 'запрос',
    waiting: (reason, target, until) =>
      `ждём, ${waitReasons[reason]}${target === '' ? '' : ` (${target})`}${until === undefined ? '' : `, до ${until}`}`,
    waited: (reason, duration, ok) =>
      ok
        ? `продолжаем, ждали ${duration}`
        : `перестали ждать, прошло ${duration}: ${waitReasons[reason]}`,
    compacted: (trigger, before, after) =>
      `разговор сжат (${trigger})${before === undefined ? '' : `, было ${before}`}${after === undefined ? '' : `, стало ${after}`}`,
    alarm: 'ТРЕВОГА',
    runDone: (cost, duration) => `готово: ${cost} за ${duration}`,
    runFailed: (step) => `остановлено на шаге «${step}»`,
    runAborted: (reason) => `завершено досрочно: ${reason}`,
    total: (cost, duration) => `всего ${cost} за ${duration}`,
    unpriced: (tokens) => `и ${tokens} токенов без известной цены`,
    manifest: (path) => `запись запуска: ${path}`,
    again: 'повторите ту же команду, чтобы продолжить отсюда',
    doing: {
      starting: 'запускается',
      thinking: 'думает',
      writing: 'пишет',
      retrying: 'пробует снова',
      finishing: 'завершает',
      waiting: (reason, until) =>
        `ждём, ${waitReasons[reason]}${until === undefined ? '' : `, до ${until}`}`,
    },
  },
  status: {
    nothing: (workspace, runDir) =>
      `Продолжать нечего: в ${runDir} нет записей о запусках в ${workspace}.`,
    run: (run, flow) => `запуск ${run}${flow === '' ? '' : `, сценарий ${flow}`}`,
    outcome: { finished: 'закончен', unfinished: 'не закончен', running: 'идёт сейчас' },
    started: (at) => `начат ${at}`,
    ended: (at) => `окончен ${at}`,
    woke: (count) => `пробуждений: ${formats.count(count)}`,
    stepState: { passed: 'пройден', unfinished: 'не закончен', spoken: 'говорил' },
    columns: {
      step: 'шаг',
      state: 'состояние',
      session: 'сеанс',
      context: 'контекст',
      last: 'последняя запись',
    },
    noRecord: 'записей пока нет',
    noSteps: 'Ни один шаг ещё не открыл сеанса.',
    cost: (cost) => `общая стоимость ${cost}`,
    next: {
      finished: 'Повторный запуск обратится к каждому шагу в его сеансе.',
      unfinished:
        'Повторный запуск пропустит пройденные шаги и продолжит незаконченный в его сеансе.',
      running: 'Запуск идёт. Пока он не закончится, повторный будет отклонён.',
      start: 'Запуск сценария здесь начнётся с начала.',
    },
  },
  wake: wakeRu,
  people: peopleRu,
  demo: demoRu,
  doctor: doctorRu,
  history: historyRu,
};
