import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LocalTranscript, readLocalTranscript } from '../../claude/local-transcript.ts';
import { configDirectory, projectKeyOf } from '../../claude/project-key.ts';
import { isSessionId } from '../../continuity/lineage-file.ts';
import { readLineage } from '../../continuity/read-lineage.ts';
import { openReadOnly, type ReadOnlyConnection } from '../../database/open-read-only.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { realDirectory } from '../../files/real-directory.ts';
import { prepareStatements } from '../../sessions/sqlite/statements.ts';
import { decodeEntry } from '../../sessions/sqlite/stored-entry.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { missingEntries } from '../../transcript/merge.ts';
import type { RunDirectoryOptions } from '../run-directory.ts';

/** Which conversation is read. */
export interface ConversationOptions extends RunDirectoryOptions {
  /** A step, a row of the manifest (`X#round2`), a session id or at least 6 characters of one. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Every row of a session, as written, with those that only Claude Code's own files have. */
export interface Conversation {
  readonly sessionId: string;
  readonly main: readonly TranscriptEntry[];
  /** Rows of each subagent by subpath, in order of their first write. */
  readonly subagents: ReadonlyMap<string, readonly TranscriptEntry[]>;
}

const shortestId = /^[0-9a-f][0-9a-f-]{5,}$/i;

/**
 * Reads a conversation of a run directory, or of plain Claude Code in this workspace. Looks only.
 *
 * @throws FlowerError `session-unknown`, `workspace-missing`
 */
export function readConversation(options: ConversationOptions): Conversation {
  const workspace = realDirectory(options.workspace);
  const runDir = resolve(options.runDir ?? 'runs');
  const path = join(runDir, 'sessions.db');
  const connection = existsSync(path) ? openReadOnly(path) : undefined;
  try {
    const place = { workspace, runDir };
    const sessionId =
      (connection === undefined ? undefined : findSession(connection, options.name, place)) ??
      options.name;
    const projectKey = projectKeyOf(workspace);
    const stored = connection === undefined ? none : readStored(connection, projectKey, sessionId);
    const local = readLocal(options.env, projectKey, sessionId);
    const found = { sessionId, ...merged(stored, local) };
    if (found.main.length > 0) return found;
  } finally {
    connection?.close();
  }
  throw new FlowerError('session-unknown', { session: options.name, runDir });
}

type Rows = Pick<Conversation, 'main' | 'subagents'>;

const none: Rows = { main: [], subagents: new Map() };

function findSession(
  connection: ReadOnlyConnection,
  name: string,
  { workspace, runDir }: { readonly workspace: string; readonly runDir: string },
): string | undefined {
  if (isSessionId(name)) return name;
  const steps = readLineage(connection, join(runDir, 'lineage.json'), workspace)?.steps ?? {};
  return (
    sessionOfStep(steps, name) ??
    sessionOfRow(connection, name) ??
    (shortestId.test(name) ? sessionByPrefix(connection, name) : undefined)
  );
}

/** The key itself, or the only one whose step has this name. */
function sessionOfStep(steps: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(steps, name)) return steps[name];
  const named = Object.entries(steps).filter(([key]) => key.endsWith(`/${name}`));
  return named.length === 1 ? named[0]?.[1] : undefined;
}

function sessionOfRow(connection: ReadOnlyConnection, label: string): string | undefined {
  return connection
    .prepare<[string], string>(
      `SELECT json_extract(row, '$.session_id') AS session FROM attempt_rows
         WHERE step = ? AND session IS NOT NULL ORDER BY id DESC LIMIT 1`,
    )
    .pluck()
    .get(label);
}

function sessionByPrefix(connection: ReadOnlyConnection, prefix: string): string | undefined {
  const found = connection
    .prepare<[string], string>(
      `SELECT DISTINCT session_id FROM session_streams
         WHERE subpath = '' AND session_id LIKE ? || '%' LIMIT 2`,
    )
    .pluck()
    .all(prefix);
  return found.length === 1 ? found[0] : undefined;
}

function readStored(connection: ReadOnlyConnection, projectKey: string, sessionId: string): Rows {
  const statements = prepareStatements(connection);
  const streams = statements.streamsOfSession.all(projectKey, sessionId).map((stream) => {
    const rows = statements.entriesFrom.all(stream.id, 0);
    return [stream.subpath, rows.map(({ payload }) => decodeEntry(payload))] as const;
  });
  const main = streams.find(([subpath]) => subpath === '')?.[1] ?? [];
  return { main, subagents: new Map(streams.filter(([subpath]) => subpath !== '')) };
}

function readLocal(
  env: Readonly<Record<string, string | undefined>>,
  projectKey: string,
  sessionId: string,
): Rows {
  if (!isSessionId(sessionId)) return none;
  try {
    const local: LocalTranscript = readLocalTranscript({
      configDirectory: configDirectory(env),
      projectKey,
      sessionId,
    });
    return local;
  } catch {
    return none;
  }
}

/** What a resume would make of both. */
function merged(stored: Rows, local: Rows): Rows {
  const both = (
    left: readonly TranscriptEntry[],
    right: readonly TranscriptEntry[],
  ): readonly TranscriptEntry[] => [...left, ...missingEntries(left, right)];
  const subpaths = new Set([...stored.subagents.keys(), ...local.subagents.keys()]);
  const subagents = [...subpaths].map(
    (subpath) =>
      [
        subpath,
        both(stored.subagents.get(subpath) ?? [], local.subagents.get(subpath) ?? []),
      ] as const,
  );
  return { main: both(stored.main, local.main), subagents: new Map(subagents) };
}
