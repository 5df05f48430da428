import type { PeopleTexts } from './people-texts.ts';

const outcomes = {
  answered: 'answered',
  timeout: 'nobody answered in time',
  declined: 'left to the agent',
  'over-limit': 'no more questions are allowed',
  invalid: 'not a question',
  withdrawn: 'no longer needed',
} as const;

const states = {
  achieved: 'achieved',
  not_yet: 'not yet',
  unreachable: 'cannot be reached here',
} as const;

/** English texts of what passes between a run and its people. */
export const peopleEn: PeopleTexts = {
  howToAnswer: (id, remaining) =>
    `answer here, or elsewhere: flower answer ${id} "..."${remaining === undefined ? '' : ` (within ${remaining})`}`,
  closed: (id, outcome, answer) =>
    `${id} ${outcomes[outcome]}${answer === '' ? '' : `: ${answer}`}`,
  queued: (id, text, amended) => `${id} noted${amended ? ' and added to the brief' : ''}: ${text}`,
  withdrawn: (id) => `${id} taken back`,
  delivered: (id) => `${id} delivered`,
  interrupted: (text) => `broken in${text === '' ? '' : `: ${text}`}`,
  asideStarted: (question) => `aside: ${question}`,
  asideFailed: (reason) => `the aside failed: ${reason}`,
  asideCost: (cost) => `aside, ${cost}`,
  checkOutcome: (exitCode, timedOut, duration) => {
    if (timedOut) return `no end within ${duration}`;
    return exitCode === null ? `ended by a signal (${duration})` : `exit ${exitCode} (${duration})`;
  },
  verdict: (round, rounds, state) => `verdict ${round} of ${rounds}: ${states[state]}`,
  noEvidence: 'no evidence',
  sameGaps: 'the same gaps as in the round before',
  weakened: (files) => `tests were weakened since the round began: ${files}`,
};
