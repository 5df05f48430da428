import type { TranscriptEntry } from '../../transcript/entry.ts';
import type { FoldSummary, SessionKey, SessionSummary } from '../session-store.ts';
import type { SessionStatements, StreamRow } from './statements.ts';
import { encodeEntry, uuidKey } from './stored-entry.ts';

/** What an append needs besides the rows. */
export interface AppendContext {
  readonly statements: SessionStatements;
  readonly foldSummary: FoldSummary | undefined;
  /** Wall clock in epoch milliseconds; it may go back, the store's own clock does not. */
  readonly now: () => number;
}

/**
 * Stores the entries that the stream does not hold yet, with its sequence, time and summary.
 *
 * Runs inside the caller's write transaction. When every entry is known, nothing changes.
 */
export function appendEntries(
  context: AppendContext,
  key: SessionKey,
  entries: readonly TranscriptEntry[],
): void {
  if (entries.length === 0) return;
  const stream = openStream(context.statements, key);
  const stored = insertNew(context.statements, stream, entries);
  if (stored.length === 0) return;
  const mtime = context.statements.advanceClock.get(context.now()) ?? 0;
  context.statements.updateStream.run(
    stream.nextSequence + stored.length,
    stream.turnCount + stored.filter(isTurn).length,
    mtime,
    stream.id,
  );
  if (stream.subpath === '') fold(context, stream, key, mtime, stored);
}

function openStream(statements: SessionStatements, key: SessionKey): StreamRow {
  const { projectKey, sessionId, subpath = '' } = key;
  const found =
    statements.findStream.get(projectKey, sessionId, subpath) ??
    statements.insertStream.get(projectKey, sessionId, subpath);
  if (found === undefined) throw new Error(`stream of ${sessionId} not created`);
  return found;
}

function insertNew(
  statements: SessionStatements,
  stream: StreamRow,
  entries: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const stored: TranscriptEntry[] = [];
  for (const entry of entries) {
    const sequence = stream.nextSequence + stored.length;
    const payload = encodeEntry(entry);
    const { changes } = statements.insertEntry.run(stream.id, sequence, uuidKey(entry), payload);
    if (changes > 0) stored.push(entry);
  }
  return stored;
}

function isTurn(entry: TranscriptEntry): boolean {
  return entry.type === 'user' || entry.type === 'assistant';
}

function fold(
  context: AppendContext,
  stream: StreamRow,
  key: SessionKey,
  mtime: number,
  stored: readonly TranscriptEntry[],
): void {
  if (context.foldSummary === undefined) return;
  const previous = readSummary(context.statements, stream, key.sessionId);
  const { data } = context.foldSummary(previous, key, stored);
  context.statements.saveSummary.run(stream.id, JSON.stringify(data));
}

function readSummary(
  statements: SessionStatements,
  stream: StreamRow,
  sessionId: string,
): SessionSummary | undefined {
  const text = statements.findSummary.get(stream.id);
  if (text === undefined) return undefined;
  return { sessionId, mtime: stream.mtime, data: decodeSummaryData(text) };
}

/** The data behind a stored summary text. */
export function decodeSummaryData(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
