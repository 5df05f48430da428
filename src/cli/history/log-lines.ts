import type { Diffstat } from '../../runtime/history/git-changes.ts';
import type { LoggedAttempt, LoggedGit, LoggedRun, RunLog } from '../../runtime/history/run-log.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { tableLines } from '../terminal/table.ts';
import { truncate } from '../terminal/truncate.ts';
import { displayWidth } from '../terminal/width.ts';
import { wrap } from '../terminal/wrap.ts';

type Column = 'step' | 'verdict' | 'cost' | 'duration' | 'context' | 'start' | 'session';

const columnsInOrder: readonly Column[] = [
  'step',
  'verdict',
  'cost',
  'duration',
  'context',
  'start',
  'session',
];
/** Left out in this order when there is no room. */
const expendable: readonly Column[] = ['context', 'start', 'session', 'duration'];
const indent = '  ';
const detailIndent = '      ';
const shortIdLength = 8;
const wholeIdColumns = 130;
const shortestStep = 12;

/**
 * The text of `flower log`, line by line, safe for a terminal.
 *
 * @param columns - No line is wider; columns of a table are left out when there is no room.
 */
export function logLines(log: RunLog, texts: Catalogue, columns: number): string[] {
  const { history, formats, view } = texts;
  if (log.runs.length === 0) return [sanitizeLine(history.log.nothing(log.runDir))];
  const unpriced =
    log.unpricedTokens > 0 ? ` ${view.unpriced(formats.tokens(log.unpricedTokens))}` : '';
  return [
    ...log.runs.flatMap((run) => [...runLines(run, texts, columns), '']),
    history.log.total(formats.money(log.costUsd)) + unpriced,
  ];
}

function runLines(run: LoggedRun, texts: Catalogue, columns: number): string[] {
  const title = wrap(sanitizeLine(runTitle(run, texts)), columns);
  const none = `${indent}${texts.history.log.noAttempts}`;
  return [...title, ...(run.attempts.length === 0 ? [none] : attemptLines(run, texts, columns))];
}

function runTitle(run: LoggedRun, { history, formats }: Catalogue): string {
  const { log } = history;
  const flows = run.flows.map((flow) => (flow === '' ? log.unnamedFlow : log.flow(flow)));
  const durationMs = Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt);
  const parts = [
    `${formats.dateTime(run.startedAt)} · ${log.run(run.run)}`,
    ...(flows.length === 0 ? [log.single] : flows),
    ...(run.woke === null ? [] : [log.woke(run.woke)]),
    ...(run.outcome === null ? [] : [log.outcome[run.outcome]]),
    formats.money(run.costUsd),
    ...(Number.isFinite(durationMs) ? [formats.duration(durationMs)] : []),
  ];
  return parts.join(' · ');
}

function attemptLines(run: LoggedRun, texts: Catalogue, columns: number): string[] {
  const room = columns - indent.length;
  const cells = run.attempts.map((attempt) => attemptCells(attempt, texts, columns));
  const header = new Map(columnsInOrder.map((it) => [it, texts.history.log.columns[it]]));
  const shown = fittingColumns([header, ...cells], room);
  const table = tableLines([header, ...cells].map((row) => rowOf(row, shown, cells, room)));
  const [titles = '', ...rows] = table;
  return [
    indent + titles,
    ...rows.flatMap((row, index) => [
      indent + truncate(row, room),
      ...detailLines(run.attempts[index], texts, columns),
    ]),
  ];
}

type Cells = ReadonlyMap<Column, string>;

function attemptCells(
  attempt: LoggedAttempt,
  { history, formats }: Catalogue,
  columns: number,
): Cells {
  const id = sanitizeLine(attempt.sessionId ?? '');
  return new Map<Column, string>([
    ['step', sanitizeLine(attempt.step)],
    ['verdict', history.log.verdict[attempt.verdict]],
    ['cost', formats.money(attempt.costUsd)],
    ['duration', formats.duration(attempt.durationS * 1000)],
    ['context', attempt.context === 0 ? '-' : formats.tokens(attempt.context)],
    ['start', formats.time(attempt.startedAt)],
    ['session', columns >= wholeIdColumns ? id : id.slice(0, shortIdLength)],
  ]);
}

function fittingColumns(rows: readonly Cells[], room: number): readonly Column[] {
  let shown = columnsInOrder;
  for (const column of expendable) {
    if (widthOf(rows, shown) <= room) break;
    shown = shown.filter((it) => it !== column);
  }
  return shown;
}

function widthOf(rows: readonly Cells[], shown: readonly Column[]): number {
  const widths = shown.map((column) =>
    Math.max(...rows.map((row) => displayWidth(row.get(column) ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

/** The name of the step is cut when the other columns need the room. */
function rowOf(
  row: Cells,
  shown: readonly Column[],
  all: readonly Cells[],
  room: number,
): readonly string[] {
  const others = shown.filter((column) => column !== 'step');
  const stepRoom = Math.max(shortestStep, room - widthOf([row, ...all], others) - 2);
  return shown.map((column) => {
    const text = row.get(column) ?? '';
    return column === 'step' ? truncate(text, stepRoom) : text;
  });
}

function detailLines(
  attempt: LoggedAttempt | undefined,
  texts: Catalogue,
  columns: number,
): string[] {
  if (attempt === undefined) return [];
  const { error, git } = attempt;
  const details = [
    ...(error === null ? [] : [error]),
    ...(git === null ? [] : gitDetails(git, texts)),
  ];
  return details.map((text) => truncate(detailIndent + sanitizeLine(text), columns));
}

function gitDetails({ before, after, ...changes }: LoggedGit, texts: Catalogue): string[] {
  const { log } = texts.history;
  const short = (head: string | null): string => head?.slice(0, shortIdLength) ?? '-';
  const statText = (stat: Diffstat): string =>
    log.changes(stat.files, stat.insertions, stat.deletions);
  const committed =
    before === after
      ? log.nothingCommitted(short(before))
      : log.committed(
          short(before),
          short(after),
          changes.diffstat === null ? '?' : statText(changes.diffstat),
        );
  const { uncommitted } = changes;
  return [
    committed,
    ...(uncommitted === null
      ? []
      : [log.uncommitted(statText(uncommitted), uncommitted.untracked)]),
  ];
}
