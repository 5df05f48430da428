import { endTree, isAlive } from '../claude/process-tree.ts';
import { isPresent } from '../continuity/process-presence.ts';
import type { OpenAttempt } from '../ledger/attempt-rows.ts';
import type { ManifestRow } from '../ledger/manifest-row.ts';
import { rowTokens } from '../ledger/manifest-row.ts';
import { roundTo } from './round-to.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { sumUsage } from '../transcript/usage.ts';
import type { RuntimeParts } from './runtime-parts.ts';

/**
 * Finishes what dead processes left behind: ends agents that survived them, takes in the rows that
 * only Claude Code's files have, and closes their rows as `killed-by-signal` with what they cost.
 *
 * Rows of processes that live are left alone, also where only their pid tells that they do: this
 * may be the copy of a directory in which they work. Safe from several processes at once.
 */
export async function recoverDeadRuns(parts: RuntimeParts): Promise<void> {
  const dead = parts.rows.openRows().filter((attempt) => isDead(parts, attempt));
  await recoverRuns(parts, [...new Set(dead.map(({ run }) => run))]);
}

/** The same for processes that can write nothing any more: dead, or stopped and replaced. */
export async function recoverRuns(parts: RuntimeParts, runs: readonly string[]): Promise<void> {
  for (const attempt of parts.rows.openRows()) {
    if (runs.includes(attempt.run)) await recover(parts, attempt);
  }
}

/** True when no process of the row can write any more. */
function isDead(
  { run, runDir }: Pick<RuntimeParts, 'run' | 'runDir'>,
  attempt: OpenAttempt,
): boolean {
  if (attempt.run === run || isPresent(runDir, attempt.run)) return false;
  return !isAlive(attempt.hostPid, attempt.hostStart);
}

async function recover(parts: RuntimeParts, attempt: OpenAttempt): Promise<void> {
  const { segment } = attempt;
  if (segment !== null) {
    const { ended } = await endTree({
      mark: segment.mark,
      ...(segment.pid === null ? {} : { pid: segment.pid }),
      ...(segment.pidStart === null ? {} : { start: segment.pidStart }),
    });
    if (ended.length > 0) {
      parts.bus.emit({ type: 'notice', code: 'orphans-ended', params: { count: ended.length } });
    }
    const { recovered } = await parts.engine.inspect(segment.sessionId);
    if (recovered > 0) {
      parts.bus.emit({ type: 'notice', code: 'rows-recovered', params: { count: recovered } });
    }
  }
  const row = await killedRow(parts, attempt);
  if (!parts.rows.close(attempt.id, row)) return;
  parts.manifest.update();
  parts.bus.emit({ type: 'notice', code: 'killed-segment', params: { step: row.step } });
}

async function killedRow(parts: RuntimeParts, attempt: OpenAttempt): Promise<ManifestRow> {
  const rows = await segmentRows(parts, attempt);
  const usage = sumUsage(rows);
  const price = parts.usage.price(usage.byModel);
  const known = attempt.row;
  const spent = rowTokens(usage.total);
  const endedAt = lastTime(rows) ?? known.ended_at;
  return {
    ...known,
    session_id: rows.length > 0 ? (attempt.segment?.sessionId ?? null) : known.session_id,
    ok: false,
    error: 'killed-by-signal',
    ended_at: endedAt,
    duration_s: Math.max(0, roundTo(endedAt - known.started_at, 2)),
    cost_usd: roundTo(known.cost_usd + price.costUsd, 6),
    unpriced_tokens: Number(known['unpriced_tokens'] ?? 0) + price.unpricedTokens,
    tokens: addRowTokens(known['tokens'], spent),
  };
}

async function segmentRows(
  parts: RuntimeParts,
  { segment }: OpenAttempt,
): Promise<TranscriptEntry[]> {
  if (segment === null) return [];
  const key = { projectKey: segment.projectKey, sessionId: segment.sessionId };
  const streams = [
    await parts.store.loadFrom(key, segment.firstSequence),
    ...(await Promise.all(
      (
        await parts.store.listSubkeys(key)
      ).map((subpath) =>
        parts.store.loadFrom({ ...key, subpath }, segment.subagents[subpath] ?? 0),
      ),
    )),
  ];
  return streams.flat().map(({ entry }) => entry);
}

function lastTime(rows: readonly TranscriptEntry[]): number | undefined {
  const times = rows
    .map((row) => Date.parse(String(row['timestamp'])) / 1000)
    .filter((time) => Number.isFinite(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

function addRowTokens(known: unknown, added: Readonly<Record<string, number>>): unknown {
  const before =
    typeof known === 'object' && known !== null ? new Map(Object.entries(known)) : null;
  return Object.fromEntries(
    Object.entries(added).map(([kind, count]) => [kind, count + Number(before?.get(kind) ?? 0)]),
  );
}
