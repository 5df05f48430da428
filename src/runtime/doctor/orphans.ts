import { descendants, isAlive, type ProcessTree } from '../../claude/process-tree.ts';
import { processesWithMark } from '../../claude/process-list.ts';
import { presencePath } from '../../continuity/process-presence.ts';
import { isProcessLockHeld } from '../../database/process-lock.ts';
import type { ReadOnlyConnection } from '../../database/open-read-only.ts';
import { segmentRecord } from '../../ledger/attempt-rows.ts';

/** Rows that no process will close, and agents that outlived the process that started them. */
export interface DeadRuns {
  readonly rows: number;
  readonly trees: readonly OrphanTree[];
}

/** An agent whose host is dead. */
export interface OrphanTree {
  readonly tree: ProcessTree;
  readonly pids: readonly number[];
}

interface OpenRow {
  readonly run: string;
  readonly pid: number | null;
  readonly start: string | null;
  readonly segment: string | null;
}

/** Finds what dead hosts left open. Looks only. */
export function findDeadRuns(connection: ReadOnlyConnection, runDir: string): DeadRuns {
  const dead = connection
    .prepare<[], OpenRow>(
      `SELECT run, host_pid AS pid, host_start AS start, segment FROM attempt_rows WHERE closed = 0`,
    )
    .all()
    .filter((row) => !isHostAlive(row, runDir));
  return { rows: dead.length, trees: dead.flatMap(orphanOf) };
}

function isHostAlive({ run, pid, start }: OpenRow, runDir: string): boolean {
  if (isProcessLockHeld(presencePath(runDir, run))) return true;
  return pid !== null && start !== null && isAlive(pid, start);
}

function orphanOf({ segment }: OpenRow): OrphanTree[] {
  const { mark, pid, pidStart } = parseSegment(segment) ?? {};
  if (mark === undefined) return [];
  const root =
    typeof pid === 'number' && typeof pidStart === 'string' && isAlive(pid, pidStart)
      ? { pid, start: pidStart }
      : undefined;
  const pids = new Set(processesWithMark(mark));
  if (root !== undefined)
    for (const member of [root.pid, ...descendants(root.pid)]) pids.add(member);
  return pids.size === 0 ? [] : [{ tree: { mark, ...root }, pids: [...pids] }];
}

function parseSegment(text: string | null): ReturnType<typeof segmentRecord.parse> | undefined {
  if (text === null) return undefined;
  try {
    return segmentRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
