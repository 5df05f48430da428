import type { PeopleTexts } from './people-texts.ts';

const outcomes = {
  answered: 'получен ответ',
  timeout: 'никто не ответил вовремя',
  declined: 'оставлено на усмотрение агента',
  'over-limit': 'больше вопросов не разрешено',
  invalid: 'это не вопрос',
  withdrawn: 'больше не нужен',
} as const;

const states = {
  achieved: 'цель достигнута',
  not_yet: 'ещё не достигнута',
  unreachable: 'здесь недостижима',
} as const;

/** Russian texts of what passes between a run and its people. */
export const peopleRu: PeopleTexts = {
  howToAnswer: (id, remaining) =>
    `ответьте здесь или из другого места: flower answer ${id} "..."${remaining === undefined ? '' : ` (в течение ${remaining})`}`,
  closed: (id, outcome, answer) =>
    `${id} ${outcomes[outcome]}${answer === '' ? '' : `: ${answer}`}`,
  queued: (id, text, amended) =>
    `${id} записано${amended ? ' и добавлено в требования' : ''}: ${text}`,
  withdrawn: (id) => `${id} отозвано`,
  delivered: (id) => `${id} доставлено`,
  interrupted: (text) => `прервано${text === '' ? '' : `: ${text}`}`,
  asideStarted: (question) => `вопрос в стороне: ${question}`,
  asideFailed: (reason) => `на вопрос в стороне ответа нет: ${reason}`,
  asideCost: (cost) => `вопрос в стороне, ${cost}`,
  checkOutcome: (exitCode, timedOut, duration) => {
    if (timedOut) return `не завершилась за ${duration}`;
    return exitCode === null ? `прервана сигналом (${duration})` : `код ${exitCode} (${duration})`;
  },
  verdict: (round, rounds, state) => `вердикт ${round} из ${rounds}: ${states[state]}`,
  noEvidence: 'без доказательства',
  sameGaps: 'те же пробелы, что и в прошлом раунде',
  weakened: (files) => `с начала раунда тесты ослаблены: ${files}`,
};
