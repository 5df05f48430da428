import { createFormats } from './formats.ts';
import type { HistoryTexts } from './history-texts.ts';

const formats = createFormats('en');

const rows = (value: number): string => formats.counted(value, { one: 'row', other: 'rows' });
const files = (value: number): string => formats.counted(value, { one: 'file', other: 'files' });
const sessions = (value: number): string =>
  formats.counted(value, { one: 'session', other: 'sessions' });
const subagents = (value: number): string =>
  formats.counted(value, { one: 'subagent', other: 'subagents' });

/** English texts of what exists: taking over, moving and looking at conversations. */
export const historyEn: HistoryTexts = {
  help: {
    commands: {
      adopt: 'make a conversation of plain Claude Code the session of a step',
      export: 'write the whole run as one file',
      import: 'go on with an exported run in this directory',
      log: 'show the history of this directory, or the transcript of a step or session',
      transcript: 'inspect transcripts',
      check: 'show what a resume would feed the model, and what was repaired or left out',
    },
    arguments: {
      conversation: 'session id, or path of a .jsonl file; without it the choice is listed',
      exportFile: 'file to write; an earlier export there is replaced',
      importFile: 'file that "flower export" wrote',
      subject: 'step, session id or its beginning',
      transcript: 'a .jsonl file, a session id or a step',
    },
    options: {
      last: 'take the newest conversation of this directory',
      step: 'step that goes on with it, <workflow>/<step> for a named workflow (default: work)',
      withSecrets: 'keep secrets of the environment instead of replacing them',
      all: 'show tool results whole',
    },
  },
  expectedStep: 'a step name, or <workflow>/<step>; no # or ·, no _ at the beginning',
  adopt: {
    done: (step, session) => `Session ${session} is the session of step "${step}" now.`,
    rows: (all, added, agents) =>
      `${rows(all)}, ${formats.count(added)} of them new${agents === 0 ? '' : `, with ${subagents(agents)}`}`,
    damaged: (pieces) =>
      `${formats.counted(pieces, { one: 'piece', other: 'pieces' })} of the file could not be read`,
    original: (path) => `copy of the original: ${path}`,
    replaced: (session) =>
      `the step's earlier session ${session} stays in the database, but is not continued`,
    next: (flow, step) =>
      flow === ''
        ? `A workflow without a name goes on with it at its step "${step}". ` +
          'For a named one, adopt it with --step <workflow>/<step>.'
        : `The workflow "${flow}" goes on with it at its step "${step}".`,
    none: (workspace) => `Claude Code keeps no conversation of ${workspace} that could be adopted.`,
    choose: (all) =>
      `There are ${formats.count(all)} conversations; name one by its session id, or take the newest with --last.`,
    columns: { session: 'session', last: 'last change', prompt: 'begins with' },
  },
  transfer: {
    exported: (file, all, entries, carried) =>
      `${file}: ${sessions(all)}, ${rows(entries)}, ${files(carried)}`,
    redacted: 'Secrets of the environment were replaced; --with-secrets keeps them.',
    withSecrets: 'The file may hold secrets: share it with care.',
    imported: (from, all, entries, carried) =>
      `imported from ${from}: ${sessions(all)}, ${rows(entries)}, ${files(carried)}`,
    place: (workspace, runDir) => `goes on in ${workspace}, records in ${runDir}`,
    steps: (names) => `steps with a session: ${names}`,
  },
  log: {
    nothing: (runDir) => `No history in ${runDir}.`,
    run: (run) => `run ${run}`,
    flow: (name) => `workflow ${name}`,
    unnamedFlow: 'workflow without a name',
    single: 'single agent',
    woke: (value) => `waking ${formats.count(value)}`,
    outcome: { finished: 'finished', unfinished: 'unfinished', running: 'running now' },
    verdict: {
      ok: 'ok',
      rejected: 'rejected',
      failed: 'failed',
      cut: 'cut off',
      running: 'running',
    },
    columns: {
      step: 'step',
      verdict: 'verdict',
      cost: 'cost',
      duration: 'time',
      context: 'context',
      start: 'started',
      session: 'session',
    },
    noAttempts: 'no attempt recorded',
    committed: (before, after, changes) => `git ${before} -> ${after}: ${changes}`,
    nothingCommitted: (head) => `git ${head}, nothing committed`,
    uncommitted: (changes, untracked) =>
      `with what is not committed: ${changes}${untracked === 0 ? '' : `, ${formats.count(untracked)} untracked`}`,
    changes: (all, insertions, deletions) =>
      `${files(all)}, +${formats.count(insertions)} -${formats.count(deletions)}`,
    total: (cost) => `total ${cost}`,
  },
  transcript: {
    roles: { user: 'user', assistant: 'assistant', note: 'note' },
    subagent: 'subagent',
    compacted: 'the conversation was compacted here',
    more: (lines) => `... ${formats.counted(lines, { one: 'more line', other: 'more lines' })}`,
    safe: 'Safe to resume.',
    unsafe:
      'NOT safe to resume: the rows before the beginning are missing. Look for them in the file of Claude Code, or in a backup.',
    counts: (entries, dropped, repaired) =>
      `${rows(entries)} would be fed, ${formats.count(dropped)} left out, ${formats.count(repaired)} repaired`,
    dropped: {
      'api-error': 'report of a failed request',
      placeholder: 'placeholder that nobody said',
      'api-retry': 'note of a retried request',
      'cost-state': 'running total of Claude Code, which would be counted twice',
      denial: 'refused call, older than the one that is kept',
      'orphan-result': 'result without a call',
      'half-message': 'message that was cut before its answer was whole',
      duplicate: 'earlier version of a row that was written again',
      'prompt-snapshot': 'system prompt of another role',
      'last-prompt': 'pin to a row of which nothing is left',
      damaged: 'piece of the file that is no row',
    },
    repaired: {
      parent: 'its parent is missing; attached to the row before',
      order: 'written after its child; moved in front of it',
      anchor: 'its parent was compacted away; attached to the summary',
      compaction: 'compaction named rows that are gone',
      'last-prompt': 'pin moved to a row that is left',
      interrupt: 'interrupt text replaced by a neutral one',
      denial: 'refused call taken out of the message',
      'orphan-result': 'result without a call taken out of the message',
      surrogate: 'half characters replaced',
      'session-id': 'named another session',
    },
    droppedTitle: 'left out',
    repairedTitle: 'repaired',
    rest: (value) => `and ${formats.count(value)} more; --json lists all`,
  },
};
