import type { TranscriptEntry } from '../transcript/entry.ts';

/** One stream of rows: a session's main conversation, or a subagent's when `subpath` is set. */
export interface SessionKey {
  readonly projectKey: string;
  readonly sessionId: string;
  /** For example `subagents/agent-<id>`; absent for the main conversation. */
  readonly subpath?: string;
}

/** A row with its place in its stream. */
export interface SequencedEntry {
  readonly sequence: number;
  readonly entry: TranscriptEntry;
}

/** Summary of a session, folded from its rows; `data` is opaque to the store. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly mtime: number;
  readonly data: Record<string, unknown>;
}

/** Folds new main-conversation rows into a summary. Pure; given to a store at construction. */
export type FoldSummary = (
  previous: SessionSummary | undefined,
  key: SessionKey,
  entries: readonly TranscriptEntry[],
) => SessionSummary;

/**
 * Keeps every transcript row as it was written.
 *
 * Contract of every store (the conformance suite checks it): `append` is idempotent by `uuid`
 * within a stream, keeps call order, and its rows are on disk when it resolves; rows without uuid
 * are always appended; `load` returns rows deep-equal to what was appended, in order, or `null`
 * for a stream that was never written. Shaping and repair happen elsewhere, on what is loaded.
 */
export interface SessionStore {
  append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void>;
  load(key: SessionKey): Promise<TranscriptEntry[] | null>;
  /** Rows from `sequence` on, with their places; `[]` when there are none. */
  loadFrom(key: SessionKey, sequence: number): Promise<SequencedEntry[]>;
  /** The sequence the next row of this stream will get; 0 for an unknown stream. */
  nextSequence(key: SessionKey): Promise<number>;
  /** Subpaths of a session, in order of first write. */
  listSubkeys(key: SessionKey): Promise<string[]>;
  /** Main conversations of a project with their last write (epoch ms, strictly monotonic). */
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  listSessionSummaries(projectKey: string): Promise<SessionSummary[]>;
  /** Copies a session's rows, subagents included, to a new id; `sessionId` fields are rewritten. */
  copySession(from: SessionKey, toSessionId: string): Promise<void>;
  /** Removes a stream; for a main conversation its subagents and summary too. */
  delete(key: SessionKey): Promise<void>;
  /** True when the main conversation holds at least one `user` or `assistant` row. */
  hasSession(projectKey: string, sessionId: string): Promise<boolean>;
  /**
   * Context of the last real response in tokens (input + cache read + cache write), looking back
   * at most `scan` rows (default 60); 0 when none is found.
   */
  lastContext(projectKey: string, sessionId: string, scan?: number): Promise<number>;
  close(): void;
}
