import type { TranscriptEntry } from './entry.ts';
import { isMarkerText } from './interrupt-text.ts';
import { isObject, type JsonObject, plainText, stringOf } from './row.ts';

/** What a failed tool result says: refused before it ran, of unknown outcome, or simply failed. */
export type FailedOutcome = 'denied' | 'unknown' | 'failed';

const DENIAL_KINDS = new Set(['permission-rule', 'automode-blocked', 'automode-unavailable']);

const REFUSALS: ReadonlySet<unknown> = new Set(['deny', 'reject']);

const REJECTED = "The user doesn't want to proceed with this tool use";
const STOPPED = 'Correction to the text above: this call was stopped while running';

const DENIAL_OPENINGS = [
  /^Permission to use .+ has been denied/,
  /^PreToolUse:\S+ hook error:/,
  /^Permission for this action was denied by /,
  /^<tool_use_error>File is in a directory that is denied by your permission settings/,
  /^This command requires approval/,
];

const UNKNOWN_OPENINGS = [
  /^\[Tool call (?:interrupted|did not complete|skipped|not completed):[^]*\]$/,
  /^\[Tool result missing due to internal error\]$/,
  /^The tool call was interrupted before a result was received\./,
];

/**
 * Tells refusals from calls that may have run.
 *
 * Fields decide; wordings are the fallback for rows that have none (before about 2.1.204, and path
 * rules for Read). When a stopped call and a refusal look the same, the outcome counts as unknown:
 * taking a call away that has run would make the model repeat it.
 *
 * @param row - The `user` row.
 * @param block - One of its `tool_result` blocks with `is_error`.
 * @param isFollowedByMarker - Whether an interrupt marker is the next row.
 */
export function failedOutcome(
  row: TranscriptEntry,
  block: JsonObject,
  isFollowedByMarker: boolean,
): FailedOutcome {
  const text = (plainText(block.content) ?? '').trim();
  const kind = stringOf(row.toolDenialKind);
  if (kind === 'interrupted' || isUnknown(text)) return 'unknown';
  if (row.toolDenialBeforeRun === true) return 'denied';
  if (text.startsWith(REJECTED)) return rejected(kind, isFollowedByMarker);
  if (REFUSALS.has(decisionOf(row.permissionDecision))) return 'denied';
  if (kind === 'user-rejected' || (kind !== undefined && DENIAL_KINDS.has(kind))) return 'denied';
  if (kind === undefined && DENIAL_OPENINGS.some((opening) => opening.test(text))) return 'denied';
  return 'failed';
}

/** A word, or an object that holds it (2.1.332 writes either). */
function decisionOf(decision: unknown): unknown {
  return isObject(decision) ? decision.decision : decision;
}

function isUnknown(text: string): boolean {
  if (isMarkerText(text) || text.includes(STOPPED)) return true;
  return UNKNOWN_OPENINGS.some((opening) => opening.test(text));
}

function rejected(kind: string | undefined, isFollowedByMarker: boolean): FailedOutcome {
  if (kind === 'permission-rule') return 'denied';
  return kind !== undefined || isFollowedByMarker ? 'unknown' : 'denied';
}
