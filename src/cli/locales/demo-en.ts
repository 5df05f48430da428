import type { SeenOutcome } from '../demo/demo-facts.ts';
import type { DemoTexts } from './demo-texts.ts';
import { createFormats } from './formats.ts';

const { count, counted, duration, money } = createFormats('en');

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
    `and a server in the background; ${counted(alive, processes)} alive`,
  status: (outcome, passed, unfinished, session) =>
    `run ${named(outcome)}; passed: ${passed}; to be continued: ${unfinished}, session ${session}`,
  waking: 'the same command again',
  claims: 'What the disk and the record of the API say',
  holds: 'ok  ',
  fails: 'FAIL',
  checks: {
    orphans: ({ cut }) =>
      `no orphans: ${counted(cut.processes, processes)} at the kill, server ${cut.serverPid} ` +
      `among them; ${count(cut.left.length)} left after ${duration(cut.endedAfterMs)}`,
    status: ({ cut }) =>
      `the cut is known: run ${named(cut.outcome)}, passed: ${cut.passed.join(', ')}, ` +
      `cut: ${cut.unfinished.join(', ')}`,
    'step-once': ({ readRequests: { before, inAll } }) =>
      `step 1 was not repeated: ${counted(before, requests)} before the kill, ${count(inAll)} in all`,
    session: ({ session }) =>
      `same conversation in step 2: session ${session.before} before, ${session.after} after`,
    entries: ({ entries: { before, kept, after } }) =>
      `no entry lost: ${count(before)} before, ${count(kept)} of them unchanged after, ` +
      `${count(after)} now`,
    'cut-call': ({ cutCallResult }) =>
      cutCallResult === null
        ? 'what became of the cut command: the model was not told'
        : `what became of the cut command, the model was told: ${cutCallResult}`,
    delivery: ({ deliveries }) =>
      `so it looked before repeating: ${counted(deliveries, { one: 'delivery', other: 'deliveries' })} in all`,
    gate: ({ gate }) =>
      `"it works" was not believed, the gate ran the program: ${gate.objection ?? '-'}; ` +
      `repaired in the same session (${gate.rows.join(', ')}), it prints ${gate.printed} now`,
    cost: ({ cost }) =>
      `cost counted once: ${money(cost.manifestUsd)} in the manifest, ${money(cost.apiUsd)} by ` +
      `the usage of the API (${count(cost.manifestTokens)} and ${count(cost.apiTokens)} tokens), ` +
      `${money(cost.killedUsd)} of it in the killed part`,
    woke: ({ wake }) =>
      `woken by the same command: waking ${count(wake.woke)}, run ${named(wake.outcome)}, ` +
      `exit code ${wake.exitCode ?? '-'} after ${duration(wake.durationMs)}`,
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
  done: (claims, took) => `All ${count(claims)} claims hold, after ${took}.`,
  failed: (failed, claims) => `${count(failed)} of ${count(claims)} claims do not hold.`,
};
