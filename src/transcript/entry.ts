/**
 * One row of a Claude Code transcript, opaque except for the fields that flower names.
 *
 * The format is internal to Claude Code and changes between versions, so unknown types and fields
 * pass through untouched (`docs/transcripts.md`).
 */
export interface TranscriptEntry {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly [field: string]: unknown;
}
