import { errorMessages } from '../../errors/error-messages.ts';
import type { Catalogue } from './catalogue.ts';
import { demoEn } from './demo-en.ts';
import { doctorEn } from './doctor-en.ts';
import { createFormats } from './formats.ts';
import { historyEn } from './history-en.ts';
import { bracketed } from './params.ts';
import { peopleEn } from './people-en.ts';
import { wakeEn } from './wake-en.ts';

const formats = createFormats('en');

const maybe = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;

const waitReasons = {
  offline: 'no connection',
  limit: 'usage limit',
} as const;

/** English texts. */
export const en: Catalogue = {
  language: 'en',
  formats,
  errors: errorMessages,
  alarms: {
    'transcript-not-saved': (params) =>
      `part of the conversation could not be saved${bracketed(params)}`,
    'transcript-incomplete': (params) =>
      `the conversation begins in the middle: earlier records are lost${bracketed(params)}`,
    'transcript-row-late': (params) =>
      `a tool was started before its call was on disk${bracketed(params)}`,
    'database-set-aside': (params) =>
      `the database was damaged and was set aside; a new one was made${bracketed(params)}`,
    'write-failed': (params) => `a file could not be written${bracketed(params)}`,
    'hook-failed': (params) => `a guard failed, so the call was refused${bracketed(params)}`,
    'consumer-failed': (params) => `a receiver of events failed${bracketed(params)}`,
    'lease-lost': (params) =>
      `another process took over while this one was stopped; this one ends${bracketed(params)}`,
    'orphans-left': (params) =>
      `processes that the agent started are still running${bracketed(params)}`,
  },
  notices: {
    'workspace-moved': (params) =>
      `this directory was moved here, starting anew; --moved continues its conversation${bracketed(params)}`,
    'conversation-absent': (params) =>
      `no earlier conversation to continue, starting anew${bracketed(params)}`,
    'document-frozen': (params) =>
      `the requirement is settled and written down${bracketed(params)}`,
    'goal-unverifiable': (params) =>
      `some checks of the goal cannot be verified here; edit the file or it will not be reached${bracketed(params)}`,
    'file-set-aside': (params) => `a file was not ours or damaged, set aside${bracketed(params)}`,
    'api-retry': (params) => `Claude Code tries the API again${bracketed(params)}`,
    'orphans-ended': (params) => `leftover processes were ended${bracketed(params)}`,
    'killed-segment': (params) => `an earlier run was killed here${bracketed(params)}`,
    'model-differs': (params) => `another model answered than was asked for${bracketed(params)}`,
    'project-settings-ignored': (params) =>
      `the project's own .claude/ and CLAUDE.md are not read; --project-settings reads them${bracketed(params)}`,
    'rows-recovered': (params) =>
      `records that only Claude Code had kept were taken over${bracketed(params)}`,
    'silent-stream': (params) => `the agent has been silent for long${bracketed(params)}`,
    'value-not-stored': (params) =>
      `a value cannot be kept for the next run, its step would run again${bracketed(params)}`,
    'version-differs': (params) => `continued with other versions than before${bracketed(params)}`,
  },
  usage: {
    unknownOption: (option, suggestion) => `Unknown option ${option}.${maybe(suggestion)}`,
    unknownCommand: (command, suggestion) => `Unknown command "${command}".${maybe(suggestion)}`,
    missingArgument: (argument) => `The argument <${argument}> is missing.`,
    missingValue: (option) => `The option ${option} needs a value.`,
    tooManyArguments: () => 'Too many arguments. Put a text with spaces in quotes.',
    conflict: (option, other) => `${option} cannot be used together with ${other}.`,
    needs: (option, other) => `${option} needs ${other}.`,
    other: (detail) => `Wrong use: ${detail}`,
    emptyPrompt: () => 'The prompt is empty.',
    unreadableFile: (path, reason) => `The file ${path} cannot be read: ${reason}`,
    expectedMoney: 'an amount in US dollars above zero, for example 0.50',
    expectedLanguage: 'en, zh or ru',
    expectedPermissionMode: 'default, acceptEdits, plan or bypassPermissions',
    expectedName: 'a name, not empty',
  },
  process: {
    unexpected: (message) => `unexpected error: ${message}; run again with --debug for the stack`,
    stopping: 'Stopping in good order. Press Ctrl-C again to stop at once.',
  },
  help: {
    description:
      'Runs long jobs with Claude Code, across kills, reboots and network cuts. ' +
      'Run the same command again and the same conversation goes on.',
    titles: {
      usage: 'Usage:',
      arguments: 'Arguments:',
      options: 'Options:',
      globalOptions: 'Global options:',
      commands: 'Commands:',
    },
    optionsWord: '[options]',
    commandWord: '<command>',
    commands: {
      run: 'run a workflow of yours, or continue it where it broke',
      once: 'run one agent without a workflow; the answer goes to stdout',
      status: 'show what would continue here; costs nothing',
      demo: 'try everything offline on a scripted model',
      help: 'show the help of a command',
    },
    arguments: {
      target: 'the workflow as file:attribute or module:attribute, for example flows.ts:main',
      prompt: 'what the agent shall do; - reads standard input, @file reads a file',
      command: 'name of the command',
    },
    options: {
      workspace: 'directory that the agents work in (default: the current one)',
      runDir: 'directory of transcripts and records (default: runs)',
      lang: 'language of the texts: en, zh or ru (default: FLOWER_LANG, then the system)',
      json: 'print machine-readable data on stdout; a run prints one event a line',
      verbose: 'show prompts, subagents and all tool results',
      quiet: 'show nothing but errors',
      debug: 'show the stack of an unexpected error',
      version: 'print the version',
      help: 'show this help',
      model: 'model to use instead of the one in the workflow',
      projectSettings: "read the project's own .claude/ and CLAUDE.md",
      new: 'close the earlier conversation of this workflow and start over',
      moved: 'continue although the directory was moved here',
      from: 'begin at this step; values of earlier steps are read back',
      only: 'run this step alone; values of earlier steps are read back',
      fresh: 'give this step a new session (may be given several times)',
      instructions: 'role of the agent, appended to its system prompt',
      tools: 'tools that the agent may use, with commas between (default: Read,Glob,Grep)',
      permissionMode: 'default, acceptEdits, plan or bypassPermissions',
      budget: 'stop when this many US dollars are spent',
      resume: 'continue the session with this id',
      fork: 'branch the resumed session instead of continuing it',
      at: 'go back to this message of the resumed session first',
    },
    footer:
      'Exit codes: 0 done, 1 failed, 2 wrong use, 4 budget reached, 75 try again later, 130 stopped by Ctrl-C.',
  },
  view: {
    steps: (count) => formats.counted(count, { one: 'step', other: 'steps' }),
    continuing: (woke) => `continuing · waking ${woke}`,
    place: (workspace, runDir) => `in ${workspace}, records in ${runDir}`,
    skipped: {
      when: 'skipped: its condition does not hold',
      'already-passed': 'skipped: passed before the run was cut',
    },
    stepDone: (cost, duration, context) => `done: ${cost}, ${duration}, context ${context}`,
    stepFailed: (error) => `failed: ${error}`,
    retry: (attempt, error, delay) => `attempt ${attempt} failed: ${error}; again in ${delay}`,
    denied: (step, tool, reason) => `step "${step}": ${tool} was denied: ${reason}`,
    toolFailed: (tool) => `${tool} failed`,
    prompt: 'prompt',
    waiting: (reason, target, until) =>
      `waiting, ${waitReasons[reason]}${target === '' ? '' : ` (${target})`}${until === undefined ? '' : `, until ${until}`}`,
    waited: (reason, duration, ok) =>
      ok ? `going on after ${duration}` : `gave up after ${duration}, ${waitReasons[reason]}`,
    compacted: (trigger, before, after) =>
      `the conversation was compacted (${trigger})${before === undefined ? '' : `, ${before} before`}${after === undefined ? '' : `, ${after} after`}`,
    alarm: 'ALARM',
    runDone: (cost, duration) => `done: ${cost} in ${duration}`,
    runFailed: (step) => `stopped at step "${step}"`,
    runAborted: (reason) => `ended early: ${reason}`,
    total: (cost, duration) => `total ${cost} in ${duration}`,
    unpriced: (tokens) => `and ${tokens} tokens of unknown price`,
    manifest: (path) => `record of the run: ${path}`,
    again: 'run the same command again to go on from here',
    doing: {
      starting: 'starting',
      thinking: 'thinking',
      writing: 'writing',
      retrying: 'trying again',
      finishing: 'finishing',
      waiting: (reason, until) =>
        `waiting, ${waitReasons[reason]}${until === undefined ? '' : `, until ${until}`}`,
    },
  },
  status: {
    nothing: (workspace, runDir) =>
      `Nothing to continue: no run of ${workspace} is recorded in ${runDir}.`,
    run: (run, flow) => `run ${run}${flow === '' ? '' : `, workflow ${flow}`}`,
    outcome: { finished: 'finished', unfinished: 'unfinished', running: 'running now' },
    started: (at) => `started ${at}`,
    ended: (at) => `ended ${at}`,
    woke: (count) => `woken ${formats.counted(count, { one: 'time', other: 'times' })}`,
    stepState: { passed: 'passed', unfinished: 'unfinished', spoken: 'has spoken' },
    columns: {
      step: 'step',
      state: 'state',
      session: 'session',
      context: 'context',
      last: 'last record',
    },
    noRecord: 'no record yet',
    noSteps: 'No step has opened a session yet.',
    cost: (cost) => `total cost ${cost}`,
    next: {
      finished: 'Running it again speaks to every step in its session.',
      unfinished:
        'Running it again skips the steps that passed and continues the unfinished one in its session.',
      running: 'It is at work. Running it again is refused until it ends.',
      start: 'Running a workflow here starts it from the beginning.',
    },
  },
  wake: wakeEn,
  people: peopleEn,
  demo: demoEn,
  doctor: doctorEn,
  history: historyEn,
};
