import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findProcess, type ProcessInfo } from '../../src/claude/process-list.ts';

/** A process that is to be found again, told apart from a later one with the same pid. */
export type KnownProcess = Pick<ProcessInfo, 'pid' | 'start'>;

/** True while this very process runs; a zombie does not run. */
export function isRunning({ pid, start }: KnownProcess): boolean {
  const found = findProcess(pid);
  return found !== undefined && !found.isZombie && found.start === start;
}

/** All processes whose environment holds exactly `<name>=<value>`. */
export function processesWith(name: string, value: string): KnownProcess[] {
  const wanted = `${name}=${value}`;
  const pids = process.platform === 'linux' ? fromProc(wanted) : fromPs(wanted);
  return pids.flatMap((pid) => {
    const found = findProcess(pid);
    return found === undefined || found.isZombie ? [] : [found];
  });
}

function fromProc(wanted: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(wanted))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function fromPs(wanted: string): number[] {
  const lines = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return lines
    .split('\n')
    .filter((line) => line.split(' ').includes(wanted))
    .map((line) => Number.parseInt(line, 10));
}
