import type { SeenOutcome } from '../demo/demo-facts.ts';
import type { DemoTexts } from './demo-texts.ts';
import { createFormats } from './formats.ts';

const formats = createFormats('ru');

const processes = { one: 'процесс', few: 'процесса', many: 'процессов', other: 'процесса' };
const requests = { one: 'запрос', few: 'запроса', many: 'запросов', other: 'запроса' };
const deliveryForms = { one: 'сдача', few: 'сдачи', many: 'сдач', other: 'сдачи' };

const outcomes = { finished: 'завершён', unfinished: 'не завершён', running: 'идёт' };
const named = (outcome: SeenOutcome): string => (outcome === null ? '-' : outcomes[outcome]);

/** Russian texts of the demo. */
export const demoRu: DemoTexts = {
  intro:
    'Три шага (read, make, verify) на модели по сценарию: без сети, без учётных данных, бесплатно. ' +
    'Claude Code, процессы, файлы и база данных настоящие.',
  project: (folder) => `новый проект: ${folder}`,
  killed: (pid, alive) =>
    `SIGKILL для flower (pid ${pid}) посреди шага 2, «make»: работала его команда Bash ` +
    `и сервер в фоне; всего ${formats.counted(alive, processes)}`,
  status: (outcome, passed, unfinished, session) =>
    `запуск ${named(outcome)}; пройдено: ${passed}; продолжится: ${unfinished}, сеанс ${session}`,
  waking: 'та же команда ещё раз',
  claims: 'Что говорят диск и журнал API',
  holds: 'да ',
  fails: 'НЕТ',
  checks: {
    orphans: ({ cut }) =>
      `процессы не осиротели: в момент остановки ${formats.counted(cut.processes, processes)}, среди них ` +
      `сервер ${cut.serverPid}; через ${formats.duration(cut.endedAfterMs)} осталось ${formats.count(cut.left.length)}`,
    status: ({ cut }) =>
      `обрыв известен: запуск ${named(cut.outcome)}, пройдено: ${cut.passed.join(', ')}, ` +
      `прервано: ${cut.unfinished.join(', ')}`,
    'step-once': ({ readRequests: { before, inAll } }) =>
      `шаг 1 не повторялся: до остановки ${formats.counted(before, requests)}, всего ${formats.count(inAll)}`,
    session: ({ session }) =>
      `тот же разговор на шаге 2: сеанс ${session.before} до, ${session.after} после`,
    entries: ({ entries: { before, kept, after } }) =>
      `записи целы: было ${formats.count(before)}, из них без изменений ${formats.count(kept)}, ` +
      `теперь ${formats.count(after)}`,
    'cut-call': ({ cutCallResult }) =>
      cutCallResult === null
        ? 'что стало с прерванной командой, модели не сообщили'
        : `что стало с прерванной командой, модели сообщили: ${cutCallResult}`,
    delivery: ({ deliveries }) =>
      `поэтому она сперва проверила: всего ${formats.counted(deliveries, deliveryForms)}`,
    gate: ({ gate }) =>
      `словам «работает» не поверили, проверка запустила программу: ${gate.objection ?? '-'}; ` +
      `исправлено в том же сеансе (${gate.rows.join(', ')}), теперь печатает ${gate.printed}`,
    cost: ({ cost }) =>
      `стоимость учтена один раз: ${formats.money(cost.manifestUsd)} в манифесте, ${formats.money(cost.apiUsd)} ` +
      `по данным API (токенов ${formats.count(cost.manifestTokens)} и ${formats.count(cost.apiTokens)}), ` +
      `из них ${formats.money(cost.killedUsd)} в оборванной части`,
    woke: ({ wake }) =>
      `разбужен той же командой: пробуждение ${formats.count(wake.woke)}, запуск ${named(wake.outcome)}, ` +
      `код выхода ${wake.exitCode ?? '-'} через ${formats.duration(wake.durationMs)}`,
  },
  faults: {
    'tool-not-started': 'Команда шага 2 так и не началась; причина в first-run.err.',
    'first-run-not-dead': 'Первый запуск не остановился от SIGKILL.',
    'wake-not-ended': 'Второй запуск не закончился вовремя; ход работы в second-run.err.',
    'status-failed': 'Команда «flower status» не удалась.',
    stopped: 'Остановлено. Процессов не осталось.',
  },
  place: (folder) =>
    `Всё лежит в ${folder}: project/ с flow.ts и runs/, а также вывод каждой команды.`,
  done: (claims, took) => `Подтверждено всё, пунктов: ${formats.count(claims)}, за ${took}.`,
  failed: (failed, claims) =>
    `Не подтверждено ${formats.count(failed)} из ${formats.count(claims)}.`,
};
