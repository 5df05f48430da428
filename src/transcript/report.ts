import type { TranscriptEntry } from './entry.ts';

/** Why a row is not fed back to the model. */
export type DropReason =
  /** Synthetic row that only reports a failed request. */
  | 'api-error'
  /** Synthetic "No response requested." and its like. */
  | 'placeholder'
  /** Note of a retried request. */
  | 'api-retry'
  /** Running total of the CLI; without it the next process counts from zero. */
  | 'cost-state'
  /** Refused call or its refusal, older than the ones kept. */
  | 'denial'
  /** Result whose call is nowhere. */
  | 'orphan-result'
  /** Last message, cut before its calls or its answer were written. */
  | 'half-message'
  /** Earlier version of a row that was written again. */
  | 'duplicate'
  /** Pin of the system prompt of another role. */
  | 'prompt-snapshot'
  /** Pin to a row of which nothing is left. */
  | 'last-prompt';

/** What was changed in a row that stays. */
export type RepairKind =
  /** Parent missing or part of a cycle; attached to the row before. */
  | 'parent'
  /** Written after its child; moved in front of it. */
  | 'order'
  /** Parent lies behind a compaction that no longer keeps it; attached to the summary. */
  | 'anchor'
  /** Compaction metadata named rows that are gone. */
  | 'compaction'
  | 'last-prompt'
  /** Interrupt text replaced by the neutral one. */
  | 'interrupt'
  /** Refused call or refusal taken out; the rest of the message stays. */
  | 'denial'
  /** Result without a call taken out; the rest of the message stays. */
  | 'orphan-result'
  /** Lone surrogates replaced by U+FFFD. */
  | 'surrogate'
  /** Named another session. */
  | 'session-id';

/** A row that was left out; `uuid` is `null` for metadata rows. */
export interface DroppedRow {
  readonly uuid: string | null;
  readonly why: DropReason;
}

/** A row that was changed; `uuid` is `null` for metadata rows. */
export interface RepairedRow {
  readonly uuid: string | null;
  readonly what: RepairKind;
}

/** Outcome of one cleaning: the rows that stay, and what was done to get there. */
export interface Cleaning {
  readonly entries: readonly TranscriptEntry[];
  readonly dropped: readonly DroppedRow[];
  readonly repaired: readonly RepairedRow[];
}
