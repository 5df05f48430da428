import { setTimeout as delay } from 'node:timers/promises';

import {
  findProcess,
  lastStartedProcess,
  listProcesses,
  type ProcessInfo,
  processesWithMark,
} from './process-list.ts';

/** The processes of one agent: its root by pid and start, its strays by mark. */
export interface ProcessTree {
  /** The root, when it is known. */
  readonly pid?: number;
  /** Start token of the root as {@link processStart} gave it; without it the root is not touched. */
  readonly start?: string;
  /** Value of `FLOWER_MARK`, unique for this agent. */
  readonly mark?: string;
}

/** What {@link endTree} did. */
export interface TreeEnd {
  /** Pids that were ended, in order of first sight. */
  readonly ended: readonly number[];
  /** Pids that were still alive when the time was up; normally empty. */
  readonly left: readonly number[];
}

const endTreeTimeoutMs = 2_000;

/** Bounds the looks at a tree that grows all the time. */
const maximumPasses = 20;

/** Start token of a process (zombies included), or `undefined` when there is none with this pid. */
export function processStart(pid: number): string | undefined {
  return findProcess(pid)?.start;
}

/** True when this very process still runs; a zombie or another process with a reused pid does not. */
export function isAlive(pid: number, start: string): boolean {
  const found = findProcess(pid);
  return found !== undefined && !found.isZombie && found.start === start;
}

/** True when the very process of this start token is stopped and waits to be woken. */
export function isStopped(pid: number, start: string): boolean {
  const found = findProcess(pid);
  return found !== undefined && found.isStopped && found.start === start;
}

/** Pids of all living processes below `pid`, without `pid` itself, parents before children. */
export function descendants(
  pid: number,
  processes: readonly ProcessInfo[] = listProcesses(),
): number[] {
  const children = childrenByParent(processes);
  const found: number[] = [];
  const seen = new Set([pid]);
  let level = [pid];
  while (level.length > 0) {
    const next = level.flatMap((parent) => children.get(parent) ?? []);
    level = next.filter((child) => !seen.has(child.pid)).map((child) => child.pid);
    for (const child of level) seen.add(child);
    found.push(...level);
  }
  const zombies = new Set(processes.filter((entry) => entry.isZombie).map((entry) => entry.pid));
  return found.filter((child) => !zombies.has(child));
}

/**
 * Ends a whole process tree with SIGKILL, strays included.
 *
 * The tree below the root is ended at once, then everything that carries the mark; this is repeated
 * until nothing is found, so a process that forks meanwhile is caught too. Foreign processes are
 * safe: the root must have the given start token, a stray the given mark, and this process, its
 * ancestors and pid 1 are never touched. Never rejects.
 *
 * @param options.timeoutMs - Upper bound of the repeating. Default 2000.
 */
export async function endTree(
  tree: ProcessTree,
  options: { readonly timeoutMs?: number } = {},
): Promise<TreeEnd> {
  const deadline = performance.now() + (options.timeoutMs ?? endTreeTimeoutMs);
  const ended = new Set<number>();
  let emptyRounds = 0;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const lastBefore = lastStartedProcess();
    const targets = killTreeOnce(tree);
    for (const pid of targets) ended.add(pid);
    emptyRounds = targets.length === 0 ? emptyRounds + 1 : 0;
    // One empty look is not enough: a process that forks and exits can slip through a single one,
    // unless nobody forked meanwhile.
    const isQuiet = lastBefore !== undefined && lastBefore === lastStartedProcess();
    if (emptyRounds === 2 || (emptyRounds === 1 && isQuiet)) return { ended: [...ended], left: [] };
    if (performance.now() >= deadline) return notEnded(ended, killTreeOnce(tree));
    await delay(pauseMs);
  }
}

/**
 * One round of {@link endTree}: SIGKILL to everything of the tree that lives now, synchronously.
 *
 * @returns the pids that were found alive; empty when the tree is gone.
 */
export function killTreeOnce(tree: ProcessTree): number[] {
  const isSpared = sparing();
  const found = new Set<number>();
  for (const pid of membersOf(tree, isSpared)) {
    if (isSpared(pid) || found.has(pid)) continue;
    // At once: a process that forks and exits must not win time.
    send(pid, 'SIGKILL');
    found.add(pid);
  }
  return [...found];
}

function* membersOf(tree: ProcessTree, isSpared: Sparing): Generator<number, void> {
  yield* stoppedTreeOfRoot(tree, isSpared);
  if (tree.mark !== undefined && tree.mark !== '') yield* processesWithMark(tree.mark);
}

/**
 * Collects the tree below the root and stops it on the way, until nothing new is found: a stopped
 * process cannot fork a child that would get away, which matters for one without the mark.
 */
function stoppedTreeOfRoot(tree: ProcessTree, isSpared: Sparing): Set<number> {
  const stopped = new Set<number>();
  for (let pass = 0; pass < maximumPasses; pass += 1) {
    const fresh = treeOfRoot(tree).filter((pid) => !stopped.has(pid) && !isSpared(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      send(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  }
  return stopped;
}

function treeOfRoot({ pid, start }: ProcessTree): number[] {
  if (pid === undefined || start === undefined) return [];
  // Gone with its place in the tree, as after every orderly end: no need to look at all the others.
  if (processStart(pid) !== start) return [];
  const processes = listProcesses();
  const root = processes.find((entry) => entry.pid === pid);
  if (root?.start !== start) return [];
  const below = descendants(pid, processes);
  return root.isZombie ? below : [pid, ...below];
}

/** Says of a process whether it is this one, an ancestor of it, or pid 1. */
type Sparing = (pid: number) => boolean;

/** Looks for the ancestors only when somebody is found: mostly nobody is. */
function sparing(): Sparing {
  let spared: ReadonlySet<number> | undefined;
  return (pid) => {
    spared ??= selfAndAncestors();
    return spared.has(pid);
  };
}

function selfAndAncestors(): Set<number> {
  const spared = new Set([0, 1]);
  const parentOf = parentFinder();
  for (
    let pid: number | undefined = process.pid;
    pid !== undefined && !spared.has(pid);
    pid = parentOf(pid)
  ) {
    spared.add(pid);
  }
  return spared;
}

/** On Linux one file a process; elsewhere one look at all of them is cheaper than many at one. */
function parentFinder(): (pid: number) => number | undefined {
  if (process.platform === 'linux') return (pid) => findProcess(pid)?.parentPid;
  const parents = new Map(listProcesses().map((entry) => [entry.pid, entry.parentPid]));
  return (pid) => parents.get(pid);
}

function notEnded(ended: ReadonlySet<number>, living: readonly number[]): TreeEnd {
  const left = new Set(living);
  return { ended: [...ended].filter((pid) => !left.has(pid)), left: [...left] };
}

function childrenByParent(processes: readonly ProcessInfo[]): Map<number, ProcessInfo[]> {
  const children = new Map<number, ProcessInfo[]>();
  for (const entry of processes) {
    const siblings = children.get(entry.parentPid);
    if (siblings === undefined) children.set(entry.parentPid, [entry]);
    else siblings.push(entry);
  }
  return children;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or owned by another user: the next round finds out which.
  }
}
