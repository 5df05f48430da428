import { retryWhileBusy } from '../../database/retry-busy.ts';
import type { RunDatabase } from '../../database/run-database.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { contextTokens } from '../context-tokens.ts';
import type {
  FoldSummary,
  SequencedEntry,
  SessionKey,
  SessionStore,
  SessionSummary,
} from '../session-store.ts';
import { type AppendContext, appendEntries, decodeSummaryData } from './append-entries.ts';
import { copySessionRows } from './copy-session.ts';
import { takeOverPythonRows } from './python-takeover.ts';
import { prepareStatements, type SessionStatements, type StreamRow } from './statements.ts';
import { decodeEntry } from './stored-entry.ts';

/** How a {@link SqliteSessionStore} works. */
export interface SqliteSessionStoreOptions {
  /** Keeps summaries of main conversations; without it there are none. */
  readonly foldSummary?: FoldSummary;
  /** Wall clock in epoch milliseconds. */
  readonly now?: () => number;
}

/**
 * Session rows in the run database.
 *
 * Construction takes over the rows of a Python flower in the same file. Appends run one after the
 * other in call order; one that finds the database locked tries again, about 30 s in all. The
 * database belongs to who opened it: `close` ends the store and leaves it open.
 */
export class SqliteSessionStore implements SessionStore {
  readonly #database: RunDatabase;
  readonly #statements: SessionStatements;
  readonly #context: AppendContext;
  #lastWrite: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: RunDatabase, options: SqliteSessionStoreOptions = {}) {
    this.#database = database;
    this.#statements = prepareStatements(database.connection);
    this.#context = {
      statements: this.#statements,
      foldSummary: options.foldSummary,
      now: options.now ?? Date.now,
    };
    takeOverPythonRows(database, this.#context);
  }

  append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    return this.#write(() => {
      appendEntries(this.#context, key, entries);
    });
  }

  async load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const stream = this.#find(key);
    if (stream === undefined) return null;
    return this.#statements.entriesFrom.all(stream.id, 0).map((row) => decodeEntry(row.payload));
  }

  async loadFrom(key: SessionKey, sequence: number): Promise<SequencedEntry[]> {
    const stream = this.#find(key);
    if (stream === undefined) return [];
    return this.#statements.entriesFrom
      .all(stream.id, sequence)
      .map((row) => ({ sequence: row.sequence, entry: decodeEntry(row.payload) }));
  }

  async nextSequence(key: SessionKey): Promise<number> {
    return this.#find(key)?.nextSequence ?? 0;
  }

  async listSubkeys(key: SessionKey): Promise<string[]> {
    return this.#read()
      .streamsOfSession.all(key.projectKey, key.sessionId)
      .map((stream) => stream.subpath)
      .filter((subpath) => subpath !== '');
  }

  /** Latest write first. */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return this.#read().sessionsOfProject.all(projectKey);
  }

  /** Latest write first. */
  async listSessionSummaries(projectKey: string): Promise<SessionSummary[]> {
    return this.#read()
      .summariesOfProject.all(projectKey)
      .map(({ sessionId, mtime, data }) => ({ sessionId, mtime, data: decodeSummaryData(data) }));
  }

  copySession(from: SessionKey, toSessionId: string): Promise<void> {
    return this.#write(() => {
      copySessionRows(this.#context, from, toSessionId);
    });
  }

  delete(key: SessionKey): Promise<void> {
    return this.#write(() => {
      const { projectKey, sessionId, subpath = '' } = key;
      if (subpath === '') this.#statements.deleteSession.run(projectKey, sessionId);
      else this.#statements.deleteStream.run(projectKey, sessionId, subpath);
    });
  }

  async hasSession(projectKey: string, sessionId: string): Promise<boolean> {
    return (this.#find({ projectKey, sessionId })?.turnCount ?? 0) > 0;
  }

  async lastContext(projectKey: string, sessionId: string, scan = 60): Promise<number> {
    const stream = this.#find({ projectKey, sessionId });
    if (stream === undefined) return 0;
    const rows = this.#statements.entriesBackwards.iterate(stream.id, Math.max(0, scan));
    for (const row of rows) {
      const context = contextTokens(decodeEntry(row.payload));
      if (context > 0) return context;
    }
    return 0;
  }

  close(): void {
    this.#isClosed = true;
  }

  #find(key: SessionKey): StreamRow | undefined {
    return this.#read().findStream.get(key.projectKey, key.sessionId, key.subpath ?? '');
  }

  #read(): SessionStatements {
    if (this.#isClosed) throw new TypeError('The session store is closed.');
    return this.#statements;
  }

  /** One write transaction, after the earlier ones: a retried append is not overtaken. */
  #write(work: () => void): Promise<void> {
    const written = this.#lastWrite.then(() => {
      this.#read();
      return retryWhileBusy(() => this.#database.immediate(work));
    });
    this.#lastWrite = written.catch(() => {});
    return written;
  }
}
