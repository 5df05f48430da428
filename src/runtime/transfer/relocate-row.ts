import { randomUUID } from 'node:crypto';
import type { CellValue, RunTable } from '../../database/table-rows.ts';
import { segmentRecord } from '../../ledger/attempt-rows.ts';

/** A place and what Claude Code calls it. */
export interface RunPlace {
  readonly workspace: string;
  readonly projectKey: string;
}

/**
 * Gives the rows of a table to another workspace.
 *
 * Only what names the place is changed; transcripts stay as they were written. What names processes
 * of the old machine is taken out, so that nobody is taken for them.
 */
export function relocateRows(
  table: RunTable,
  from: RunPlace,
  to: RunPlace,
): (cells: readonly CellValue[]) => readonly CellValue[] {
  const changes = table.columns.map((column) => changeOf(column, from, to));
  return (cells) => cells.map((cell, index) => changes[index]?.(cell) ?? cell);
}

function changeOf(
  column: string,
  from: RunPlace,
  to: RunPlace,
): ((cell: CellValue) => CellValue) | undefined {
  switch (column) {
    case 'workspace':
      return (cell) => (cell === from.workspace ? to.workspace : cell);
    case 'project_key':
      return (cell) => (cell === from.projectKey ? to.projectKey : cell);
    case 'host_pid':
      return (cell) => (cell === null ? null : 0);
    case 'host_start':
      return (cell) => (cell === null ? null : '');
    case 'segment':
      return (cell) => (typeof cell === 'string' ? relocateSegment(cell, from, to) : cell);
    default:
      return undefined;
  }
}

/** The mark too: its processes are those of the original, which may be at work. */
function relocateSegment(text: string, from: RunPlace, to: RunPlace): string {
  const segment = segmentRecord.parse(JSON.parse(text));
  const projectKey = segment.projectKey === from.projectKey ? to.projectKey : segment.projectKey;
  return JSON.stringify({
    ...segment,
    projectKey,
    mark: randomUUID(),
    pid: null,
    pidStart: null,
  });
}
