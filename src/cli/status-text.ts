import type { RunStatus } from '../runtime/status.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { sanitizeLine } from './terminal/sanitize.ts';
import { tableLines } from './terminal/table.ts';

/** The text of `flower status`, line by line, safe for a terminal. */
export function statusLines(status: RunStatus, texts: Catalogue): string[] {
  const { workspace, runDir, lastRun } = status;
  const costs = costLines(status, texts).map(sanitizeLine);
  if (!status.exists) {
    const nothing = sanitizeLine(texts.status.nothing(workspace, runDir));
    return [
      nothing,
      ...(status.costUsd > 0 ? costs : []),
      ...nearbyLines(status, texts),
      texts.status.next.start,
    ];
  }
  return [
    ...runLines(status, texts).map(sanitizeLine),
    ...stepLines(status, texts),
    ...costs,
    texts.status.next[lastRun?.outcome ?? 'finished'],
  ];
}

function runLines({ lastRun, woke }: RunStatus, texts: Catalogue): string[] {
  const { status, formats } = texts;
  if (lastRun === null) return [];
  const times = [status.started(formats.dateTime(lastRun.startedAt))];
  if (lastRun.endedAt !== null) times.push(status.ended(formats.dateTime(lastRun.endedAt)));
  return [
    `${status.run(lastRun.run, lastRun.flow)}: ${status.outcome[lastRun.outcome]}`,
    [...times, status.woke(woke), texts.wake.nextWaking(woke + 1)].join(' · '),
  ];
}

function stepLines({ steps }: RunStatus, texts: Catalogue): string[] {
  const { status, formats } = texts;
  if (steps.length === 0) return [status.noSteps];
  const { columns } = status;
  const header = [
    columns.step,
    columns.state,
    columns.session,
    columns.context,
    texts.wake.cacheColumn,
    columns.last,
  ];
  const rows = steps.map((step) => [
    sanitizeLine(step.step),
    status.stepState[step.state],
    sanitizeLine(step.sessionId),
    formats.tokens(step.context),
    texts.wake.cacheState[step.cache],
    step.lastAt === null ? status.noRecord : formats.dateTime(step.lastAt),
  ]);
  return tableLines([header, ...rows]).map((line) => `  ${line}`);
}

function nearbyLines({ nearby }: RunStatus, { wake }: Catalogue): string[] {
  if (nearby.length === 0) return [];
  const lines = nearby.map(({ runDir, workspace }) => wake.nearbyRun(runDir, workspace));
  return [wake.nearby, ...lines.map((line) => `  ${sanitizeLine(line)}`)];
}

function costLines(status: RunStatus, texts: Catalogue): string[] {
  const { formats, view } = texts;
  const cost = texts.status.cost(formats.money(status.costUsd));
  const unpriced =
    status.unpricedTokens > 0 ? ` ${view.unpriced(formats.tokens(status.unpricedTokens))}` : '';
  return [`${cost}${unpriced}`, view.manifest(status.manifestPath)];
}
