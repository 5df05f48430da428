import { activeChain, type StreamOptions } from './active-chain.ts';
import { withoutOldDenials } from './denials.ts';
import { withoutDuplicates } from './duplicates.ts';
import type { TranscriptEntry } from './entry.ts';
import { withoutHalfMessage } from './half-message.ts';
import { neutraliseInterrupts } from './interrupts.ts';
import { repairLinks } from './links.ts';
import { withoutOrphanResults } from './orphans.ts';
import { dropRows } from './relink.ts';
import type { Cleaning, DroppedRow, RepairedRow } from './report.ts';
import { isSidechain, stringOf } from './row.ts';
import { wellFormedRows } from './surrogates.ts';
import { syntheticRows } from './synthetic.ts';

/** How a transcript is shaped. */
export interface ShapeOptions extends StreamOptions {
  /**
   * How many of the newest refused calls stay.
   *
   * @defaultValue 1
   */
  readonly keepDenials?: number;
  /** When given, rows that name another session get this id (the transcript was copied). */
  readonly sessionId?: string;
}

/** What the model is fed on resume, and what was done to get there. */
export interface ShapedTranscript {
  readonly entries: readonly TranscriptEntry[];
  readonly dropped: readonly DroppedRow[];
  readonly repaired: readonly RepairedRow[];
  /**
   * False when the conversation to resume begins with a row whose parent is not there: rows are
   * missing, so they should be looked for (in the CLI's local file) before anything is resumed.
   */
  readonly safe: boolean;
}

/** Defaults of {@link ShapeOptions}. */
const shapeDefaults = Object.freeze({ keepDenials: 1, sidechain: false });

const PLACEHOLDER_TYPE = 'flower-hidden-sidechain';

/**
 * Shapes a transcript for a resume: links repaired, failed requests, old refusals and interrupt
 * texts cleaned, so that the CLI sees one whole conversation.
 *
 * Pure, idempotent, linear in rows and bytes, and never throws on odd rows. Rows that need no
 * change are returned as the same objects; unknown types and fields pass through. The input is not
 * changed: the store keeps every row as written.
 *
 * @param entries - Rows in the order they were written.
 */
export function shapeTranscript(
  entries: readonly TranscriptEntry[],
  options: ShapeOptions = {},
): ShapedTranscript {
  const { keepDenials = shapeDefaults.keepDenials, sidechain = shapeDefaults.sidechain } = options;
  const pipeline: readonly ((rows: readonly TranscriptEntry[]) => Cleaning)[] = [
    withoutDuplicates,
    (rows) => inSession(rows, options.sessionId),
    (rows) => (sidechain ? unchanged(rows) : unchanged(rows.map(hideSidechain))),
    repairLinks,
    (rows) => dropRows(rows, syntheticRows(rows)),
    withoutCostState,
    withoutOrphanResults,
    neutraliseInterrupts,
    (rows) => withoutOldDenials(rows, keepDenials),
    (rows) => withoutHalfMessage(rows, { sidechain }),
    wellFormedRows,
    (rows) => unchanged(rows.map(revealSidechain)),
  ];
  const start: Cleaning = { entries, dropped: [], repaired: [] };
  const shaped = pipeline.reduce((before, clean) => joined(before, clean(before.entries)), start);
  return { ...shaped, safe: activeChain(shaped.entries, { sidechain }).isComplete };
}

function joined(before: Cleaning, after: Cleaning): Cleaning {
  return {
    entries: after.entries,
    dropped: [...before.dropped, ...after.dropped],
    repaired: [...before.repaired, ...after.repaired],
  };
}

function unchanged(entries: readonly TranscriptEntry[]): Cleaning {
  return { entries, dropped: [], repaired: [] };
}

/** A subagent's rows in the main file are no part of its conversation: no step may see them. */
function hideSidechain(row: TranscriptEntry): TranscriptEntry {
  return isSidechain(row) ? { type: PLACEHOLDER_TYPE, row } : row;
}

function revealSidechain(row: TranscriptEntry): TranscriptEntry {
  return row.type === PLACEHOLDER_TYPE ? (row.row as TranscriptEntry) : row;
}

function withoutCostState(entries: readonly TranscriptEntry[]): Cleaning {
  const kept = entries.filter((row) => row.type !== 'cost-state');
  const dropped: DroppedRow[] = entries
    .filter((row) => row.type === 'cost-state')
    .map((row) => ({ uuid: stringOf(row.uuid) ?? null, why: 'cost-state' }));
  return { entries: kept, dropped, repaired: [] };
}

function inSession(entries: readonly TranscriptEntry[], sessionId: string | undefined): Cleaning {
  const repaired: RepairedRow[] = [];
  const cleaned = entries.map((row) => {
    if (sessionId === undefined || stringOf(row.sessionId) === undefined) return row;
    if (row.sessionId === sessionId) return row;
    repaired.push({ uuid: stringOf(row.uuid) ?? null, what: 'session-id' });
    return { ...row, sessionId };
  });
  return { entries: cleaned, dropped: [], repaired };
}
