import type { PeopleTexts } from './people-texts.ts';

const outcomes = {
  answered: '已回答',
  timeout: '无人及时回答',
  declined: '交由代理自行决定',
  'over-limit': '提问次数已用完',
  invalid: '不是有效的问题',
  withdrawn: '不再需要',
} as const;

const states = {
  achieved: '已达成',
  not_yet: '尚未达成',
  unreachable: '在此无法达成',
} as const;

/** Chinese texts of what passes between a run and its people. */
export const peopleZh: PeopleTexts = {
  howToAnswer: (id, remaining) =>
    `在此回答，或在别处：flower answer ${id} "..."${remaining === undefined ? '' : `（${remaining}内）`}`,
  closed: (id, outcome, answer) =>
    `${id} ${outcomes[outcome]}${answer === '' ? '' : `：${answer}`}`,
  queued: (id, text, amended) => `${id} 已记下${amended ? '并写入需求' : ''}：${text}`,
  withdrawn: (id) => `${id} 已撤回`,
  delivered: (id) => `${id} 已送达`,
  interrupted: (text) => `已打断${text === '' ? '' : `：${text}`}`,
  asideStarted: (question) => `旁问：${question}`,
  asideFailed: (reason) => `旁问失败：${reason}`,
  asideCost: (cost) => `旁问，${cost}`,
  checkOutcome: (exitCode, timedOut, duration) => {
    if (timedOut) return `${duration}内未结束`;
    return exitCode === null ? `被信号终止（${duration}）` : `退出码 ${exitCode}（${duration}）`;
  },
  verdict: (round, rounds, state) => `第 ${round} 轮裁决（共 ${rounds} 轮）：${states[state]}`,
  noEvidence: '没有证据',
  sameGaps: '与上一轮相同的缺口',
  weakened: (files) => `本轮开始以来测试被削弱：${files}`,
};
