import type { DoctorTexts } from './doctor-texts.ts';
import { createFormats } from './formats.ts';

const formats = createFormats('en');

const files = (count: number): string => formats.counted(count, { one: 'file', other: 'files' });
const sized = (size: string): string => (size === '' ? '' : `, ${size}`);
const states: Readonly<Record<string, string>> = {
  passed: 'passed, is not run again',
  unfinished: 'goes on where it broke',
  spoken: 'speaks again',
};
const caches: Readonly<Record<string, string>> = { warm: ', cache warm', cold: ', cache cold' };

/** English texts of the doctor. */
export const doctorEn: DoctorTexts = {
  help: {
    command: 'say what is wrong here and what to do; --clean removes leftovers and old data',
    options: {
      clean: 'end orphans, remove leftovers and old sessions that nothing refers to',
      olderThan: 'age of what is old, for example 30d, 12h (default: 30d)',
      largerThan: 'also remove the oldest sessions while the database is larger, for example 1GB',
      dryRun: 'only say what --clean would do',
    },
  },
  expectedAge: 'an age such as 30d, 12h or 90m',
  expectedSize: 'a size such as 500MB or 1GB',
  place: (workspace, runDir) => `workspace ${workspace}, records in ${runDir}`,
  levels: { good: 'ok  ', notice: 'note', problem: 'BAD ' },
  findings: {
    'run-dir-absent': () => 'No records here yet. Nothing to do.',
    'run-dir-unwritable': () =>
      'The run directory cannot be written. Give yourself the right to, or name another one with -r.',
    'run-live': (param) => `A run lives here: process ${param('pid')} since ${param('since')}.`,
    'database-absent': () => 'There is no database yet. The next run makes one.',
    'database-sound': (param) =>
      `The database is sound: ${param('bytes')}, ${param('freeBytes')} of it free.`,
    'database-damaged': (param) =>
      `The database is damaged (${param('detail')}). Run your command again or use --clean: it is set aside whole, and what can be read goes on.`,
    'database-locked': () =>
      'The database is locked by another program. End that program, then look again.',
    'database-newer': (param) =>
      `The database was written by a newer flower (format ${param('version')}). Update flower.`,
    'database-older': (param) =>
      `The database has an older form (${param('version')}). The next run brings it up to date.`,
    'database-big': (param) =>
      `The database is big (${param('bytes')}). --clean --larger-than 1GB removes the oldest sessions that nothing needs.`,
    'disk-free': (param) => `The disk has room: ${param('bytes')} free.`,
    'disk-low': (param) => `The disk is nearly full: ${param('bytes')} free. Make room.`,
    'lineage-sound': (param) => `The lineage is sound: waking ${param('woke')}.`,
    'lineage-absent': () => 'No lineage: the next run starts from the beginning.',
    'lineage-damaged': () =>
      'lineage.json is damaged. The next run sets it aside and starts from the beginning; restore the file first if you have a copy.',
    'lineage-elsewhere': (param) =>
      `The records are those of ${param('workspace')}: the next run here starts from the beginning.`,
    'lineage-moved': (param) =>
      `The records are those of ${param('workspace')}, which is gone. If it was moved here, run with --moved to go on.`,
    resumes: (param) =>
      `Step "${param('step')}" ${states[param('state')] ?? param('state')}: session ${param('session')}, context ${param('context')}${caches[param('cache')] ?? ''}.`,
    'resumes-nothing': () => 'No session to go on in.',
    orphans: (param) =>
      `${formats.counted(Number(param('count')), { one: 'process', other: 'processes' })} of a dead run still at work (${param('pids')}). The next run ends them, or --clean.`,
    'killed-rows': (param) =>
      `Runs that were killed: ${param('count')}. The next run writes their rows.`,
    'resume-folders': (param) =>
      `Folders of killed resumes: ${param('count')}, ${param('bytes')}. --clean takes in their records and removes them: ${param('paths')}`,
    'stub-files': (param) =>
      `Stubs that Claude Code could not go on with: ${param('count')}. --clean removes them: ${param('paths')}`,
    'set-aside': (param) =>
      `Files that were set aside: ${param('count')}, ${param('bytes')}. --clean removes them when they are old: ${param('paths')}`,
    'dead-locks': (param) => `Locks of dead processes: ${param('count')}. --clean removes them.`,
    'temporary-files': (param) =>
      `Files of writes that were cut: ${param('count')}. --clean removes them.`,
    'old-sessions': (param) =>
      `Sessions of more than 30 days that nothing refers to: ${param('count')}, ${param('bytes')}. --clean removes them.`,
  },
  cleaned: {
    orphans: (count) => `processes of dead runs: ${count}`,
    'database-mended': () => 'damaged database set aside and mended',
    'resume-folders': (count, size) => `folders of killed resumes: ${count}${sized(size)}`,
    'stub-files': (count, size) => `stubs: ${files(count)}${sized(size)}`,
    'set-aside': (count, size) => `set aside before: ${files(count)}${sized(size)}`,
    'dead-locks': (count) => `locks of dead processes: ${count}`,
    'temporary-files': (count) => `cut writes: ${files(count)}`,
    'old-sessions': (count, size) =>
      `${formats.counted(count, { one: 'old session', other: 'old sessions' })}${sized(size)}`,
    'free-space': (_count, size) => `given back to the disk: ${size === '' ? '0' : size}`,
  },
  nothingCleaned: 'Nothing to clean.',
  dryRun: 'This is what --clean would do:',
  summary: (problems) =>
    problems === 0
      ? 'Nothing is wrong.'
      : `${formats.counted(problems, { one: 'problem', other: 'problems' })}.`,
};
