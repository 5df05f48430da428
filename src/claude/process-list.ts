import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process of this machine. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parentPid: number;
  /**
   * Start token: together with the pid it names one process for ever, so that a reused pid is told
   * apart. Opaque; equal tokens mean the same start.
   */
  readonly start: string;
  /** True for a process that has ended and only waits to be reaped; it does not count as alive. */
  readonly isZombie: boolean;
  /** True for a process that was stopped (SIGSTOP, a debugger) and does nothing until it is woken. */
  readonly isStopped: boolean;
}

/** Name of the environment variable that marks every process of one agent. */
export const markVariable = 'FLOWER_MARK';

/**
 * Lists every process that this user can see, in no order.
 *
 * Synchronous: reads `/proc` on Linux, runs `ps` elsewhere. Never throws; a process that ends while
 * the list is made is left out.
 */
export function listProcesses(): ProcessInfo[] {
  if (process.platform !== 'linux') return parsePsProcesses(runPs(['-axo', psColumns]));
  return numericNames('/proc').flatMap((pid) => readProcStat(pid) ?? []);
}

/**
 * Looks up one process.
 *
 * @returns `undefined` when there is none with this pid.
 */
export function findProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') return readProcStat(pid);
  return parsePsProcesses(runPs(['-o', psColumns, '-p', String(pid)]))[0];
}

/**
 * Number of the process or thread that was started last, anywhere in this machine or container. The
 * same number before and after a look means that nothing was started meanwhile.
 *
 * @returns `undefined` where the system does not tell.
 */
export function lastStartedProcess(): number | undefined {
  try {
    const number = Number(readFileSync('/proc/sys/kernel/ns_last_pid', 'utf8'));
    return Number.isInteger(number) && number > 0 ? number : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Yields the pids of all processes whose environment carries `FLOWER_MARK=<mark>`, zombies excluded,
 * each at once when it is found.
 *
 * On Linux exact (`/proc/<pid>/environ`), and newer processes are looked for until there are none, so
 * that one which forks and exits does not keep ahead of the look. Elsewhere best effort: the system
 * may hide the environment of its own programs.
 */
export function* processesWithMark(mark: string): Generator<number, void> {
  if (process.platform !== 'linux') {
    yield* parsePsMarks(runPs(psEnvironment), mark);
    return;
  }
  const wanted = Buffer.from(`\0${markVariable}=${mark}\0`);
  const known = new Set<number>();
  for (let pass = 0; pass < maximumPasses; pass += 1) {
    const fresh = numericNames('/proc').filter((pid) => !known.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      known.add(pid);
      if (readProcEnvironment(pid).includes(wanted)) yield pid;
    }
  }
}

/** Command line of a process, for a person; `''` when it is gone or hides it. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return runPs(['-o', 'command=', '-p', String(pid)]).trim();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Bounds the looks for newer processes on a machine that starts them all the time. */
const maximumPasses = 50;

const psColumns = 'pid=,ppid=,stat=,lstart=';
const psEnvironment = ['-axEww', '-o', 'pid=,command='];

/** Parses `ps -o pid=,ppid=,stat=,lstart=`. */
export function parsePsProcesses(output: string): ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (match === null) return [];
    const [, pid, parentPid, state, start] = match;
    if (start === undefined) return [];
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        start: start.replace(/\s+/g, '_'),
        isZombie: state?.startsWith('Z') === true,
        isStopped: state?.startsWith('T') === true,
      },
    ];
  });
}

/** Parses `ps -E -o pid=,command=`, where the environment follows the arguments. */
export function parsePsMarks(output: string, mark: string): number[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const words = (match[2] ?? '').split(' ');
    return words.includes(`${markVariable}=${mark}`) ? [Number(match[1])] : [];
  });
}

/** Parses `/proc/<pid>/stat`; the name in brackets may itself hold brackets, blanks and newlines. */
export function parseProcStat(text: string, boot: string): ProcessInfo | undefined {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const fields = text
    .slice(nameEnd + 1)
    .trim()
    .split(' ');
  const [state, parentPid] = fields;
  const ticks = fields[19];
  if (nameEnd < 0 || Number.isNaN(pid) || ticks === undefined) return undefined;
  return {
    pid,
    parentPid: Number(parentPid),
    start: `${boot}:${ticks}`,
    isZombie: state === 'Z' || state === 'X' || state === 'x',
    isStopped: state === 'T' || state === 't',
  };
}

function readProcStat(pid: number): ProcessInfo | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), bootId());
  } catch {
    return undefined;
  }
}

function readProcEnvironment(pid: number): Buffer {
  try {
    // The leading NUL lets the first variable be matched like every other one.
    return Buffer.concat([Buffer.of(0), readFileSync(`/proc/${pid}/environ`)]);
  } catch {
    return Buffer.alloc(0);
  }
}

let knownBootId: string | undefined;

function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'boot';
  }
}

function numericNames(directory: string): number[] {
  try {
    return readdirSync(directory)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function runPs(args: readonly string[]): string {
  try {
    return execFileSync('ps', args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    });
  } catch {
    return '';
  }
}
