import type { SeenOutcome } from '../demo/demo-facts.ts';
import type { DemoTexts } from './demo-texts.ts';
import { createFormats } from './formats.ts';

const formats = createFormats('en');

const processes = { one: 'process', other: 'processes' };
const requests = { one: 'request', other: 'requests' };

const outcomes = { finished: 'finished', unfinished: 'unfinished', running: 'running' };
const named = (outcome: SeenOutcome): string => (outcome === null ? '-' : outcomes[outcome]);

/** English texts of the demo. */
export const demoEn: DemoTexts = {
  intro:
    'Three steps (read, make, verify) on a scripted model: offline, without credentials or cost. ' +
    'Claude Code, processes, files and database are real.',
  project: (folder) => `new project: ${folder}`,
  killed: (pid, alive) =>
    `SIGKILL to flower (pid ${pid}) in the middle of step 2, "make": its Bash command was running, ` +
    `and a server in the background; ${formats.counted(alive, processes)} alive`,
  status: (outcome, passed, unfinished, session) =>
    `run ${named(outcome)}; passed: ${passed}; to be continued: ${unfinished}, session ${session}`,
  waking: 'the same command again',
  claims: 'What the disk and the record of the API say',
  holds: 'ok  ',
  fails: 'FAIL',
  checks: {
    orphans: ({ cut }) =>
      `no orphans: ${formats.counted(cut.processes, processes)} at the kill, server ${cut.serverPid} ` +
      `among them; ${formats.count(cut.left.length)} left after ${formats.duration(cut.endedAfterMs)}`,
    status: ({ cut }) =>
      `the cut is known: run ${named(cut.outcome)}, passed: ${cut.passed.join(', ')}, ` +
      `cut: ${cut.unfinished.join(', ')}`,
    'step-once': ({ readRequests: { before, inAll } }) =>
      `step 1 was not repeated: ${formats.counted(before, requests)} before the kill, ${formats.count(inAll)} in all`,
    session: ({ session }) =>
      `same conversation in step 2: session ${session.before} before, ${session.after} after`,
    entries: ({ entries: { before, kept, after } }) =>
      `no entry lost: ${formats.count(before)} before, ${formats.count(kept)} of them unchanged after, ` +
      `${formats.count(after)} now`,
    'cut-call': ({ cutCallResult }) =>
      cutCallResult === null
        ? 'what became of the cut command: the model was not told'
        : `what became of the cut command, the model was told: ${cutCallResult}`,
    delivery: ({ deliveries }) =>
      `so it looked before repeating: ${formats.counted(deliveries, { one: 'delivery', other: 'deliveries' })} in all`,
    gate: ({ gate }) =>
      `"it works" was not believed, the gate ran the program: ${gate.objection ?? '-'}; ` +
      `repaired in the same session (${gate.rows.join(', ')}), it prints ${gate.printed} now`,
    cost: ({ cost }) =>
      `cost counted once: ${formats.money(cost.manifestUsd)} in the manifest, ${formats.money(cost.apiUsd)} by ` +
      `the usage of the API (${formats.count(cost.manifestTokens)} and ${formats.count(cost.apiTokens)} tokens), ` +
      `${formats.money(cost.killedUsd)} of it in the killed part`,
    woke: ({ wake }) =>
      `woken by the same command: waking ${formats.count(wake.woke)}, run ${named(wake.outcome)}, ` +
      `exit code ${wake.exitCode ?? '-'} after ${formats.duration(wake.durationMs)}`,
  },
  faults: {
    'tool-not-started': 'The command of step 2 never started; first-run.err says why.',
    'first-run-not-dead': 'The first run did not die of SIGKILL.',
    'wake-not-ended': 'The second run did not end in time; second-run.err says how far it got.',
    'status-failed': '"flower status" failed.',
    stopped: 'Stopped. No process is left.',
  },
  place: (folder) =>
    `Everything lies in ${folder}: project/ with flow.ts and runs/, and what each command printed.`,
  done: (claims, took) => `All ${formats.count(claims)} claims hold, after ${took}.`,
  failed: (failed, claims) =>
    `${formats.count(failed)} of ${formats.count(claims)} claims do not hold.`,
};
