import type { TranscriptEntry } from '../../transcript/entry.ts';
import type { SessionKey } from '../session-store.ts';
import { type AppendContext, appendEntries } from './append-entries.ts';
import type { StreamRow } from './statements.ts';
import { decodeEntry } from './stored-entry.ts';

/**
 * Copies every stream of a session to a new id, inside the caller's write transaction.
 *
 * A stream that the target holds already stays as it is, so a repeated copy changes nothing.
 */
export function copySessionRows(
  context: AppendContext,
  from: SessionKey,
  toSessionId: string,
): void {
  const { statements } = context;
  for (const stream of statements.streamsOfSession.all(from.projectKey, from.sessionId)) {
    const target = targetKey(from.projectKey, toSessionId, stream);
    if (statements.findStream.get(target.projectKey, toSessionId, stream.subpath)) continue;
    const rows = statements.entriesFrom.all(stream.id, 0);
    const entries = rows.map((row) => withSessionId(decodeEntry(row.payload), toSessionId));
    appendEntries(context, target, entries);
  }
}

function targetKey(projectKey: string, sessionId: string, stream: StreamRow): SessionKey {
  const main = { projectKey, sessionId };
  return stream.subpath === '' ? main : { ...main, subpath: stream.subpath };
}

function withSessionId(entry: TranscriptEntry, sessionId: string): TranscriptEntry {
  return typeof entry['sessionId'] === 'string' ? { ...entry, sessionId } : entry;
}
