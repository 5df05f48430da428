import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { writeFileDurably } from '../files/atomic-write.ts';
import { errorCode } from '../files/error-code.ts';
import { setAside } from '../files/set-aside.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { parseTranscript } from '../transcript/parse-lines.ts';
import {
  type LocalSession,
  mainTranscriptPath,
  sessionDirectory,
  subagentMetadataPath,
  subagentTranscriptPath,
  type TranscriptFile,
} from './local-paths.ts';

/** All rows of a session, as the store has them. */
export interface SessionRows {
  readonly main: readonly TranscriptEntry[];
  /** Rows of each subagent by subpath (`subagents/agent-<id>`), `agent_metadata` among them. */
  readonly subagents: ReadonlyMap<string, readonly TranscriptEntry[]>;
}

/**
 * How the files of a session stood when they were read: a mark of each by its path below the
 * session. Opaque; to be compared by {@link isSameStamp}.
 */
export type LocalStamp = ReadonlyMap<string, string>;

/** What Claude Code's own files hold. */
export interface LocalTranscript extends SessionRows {
  /** True when the file of the main conversation exists, be it empty. */
  readonly exists: boolean;
  /** Pieces that could not be read. */
  readonly damaged: number;
  readonly stamp: LocalStamp;
}

/** Row type under which the store keeps a subagent's `.meta.json`. */
const metadataType = 'agent_metadata';

/**
 * Reads the files that Claude Code keeps of a session.
 *
 * Files that do not exist give no rows; damaged pieces are skipped and counted. The stamp is taken
 * before the rows are read, so a file that grows meanwhile counts as changed.
 *
 * @throws the file system's error when a file exists and cannot be read.
 */
export function readLocalTranscript(session: LocalSession | TranscriptFile): LocalTranscript {
  const stamp = stampLocalTranscript(session);
  const main = readRows(mainTranscriptPath(session));
  const subagents = new Map<string, readonly TranscriptEntry[]>();
  let damaged = main?.damaged ?? 0;
  for (const subpath of subagentPaths(session)) {
    const rows = readRows(subagentTranscriptPath(session, subpath));
    damaged += rows?.damaged ?? 0;
    subagents.set(subpath, [...readMetadata(session, subpath), ...(rows?.entries ?? [])]);
  }
  return { exists: main !== undefined, main: main?.entries ?? [], subagents, damaged, stamp };
}

/**
 * Writes a session as Claude Code's own files, so that it resumes from them without a store.
 *
 * Each file is replaced whole and readable by the owner alone; all are on disk when it returns, the
 * main conversation last, and not at all when it has no rows. A subagent's last `agent_metadata` row becomes its `.meta.json`. Files of
 * subagents that `rows` does not name stay.
 *
 * @param readAt - Stamp of the reading that `rows` was made from.
 * @returns `changed`, with nothing written, when a file is no longer as it was read: read again.
 * @throws the file system's error; RangeError for a subpath that leads out of the session's folder.
 */
export function writeLocalTranscript(
  session: LocalSession,
  rows: SessionRows,
  readAt: LocalStamp,
): 'written' | 'changed' {
  const streams = [...rows.subagents].map(([subpath, entries]) => ({
    entries,
    path: subagentTranscriptPath(session, subpath),
    metadataPath: subagentMetadataPath(session, subpath),
  }));
  if (!isSameStamp(stampLocalTranscript(session), readAt)) return 'changed';
  for (const { entries, path, metadataPath } of streams) {
    const chain = entries.filter((entry) => entry.type !== metadataType);
    const metadata = entries.findLast((entry) => entry.type === metadataType);
    if (metadata !== undefined) writePrivate(metadataPath, printMetadata(metadata));
    if (chain.length > 0) writePrivate(path, printRows(chain));
  }
  // An empty file would keep Claude Code from starting the session and from resuming it.
  if (rows.main.length > 0) writePrivate(mainTranscriptPath(session), printRows(rows.main));
  return 'written';
}

/**
 * Moves a local file without any `user` or `assistant` row out of the way: Claude Code refuses to
 * start a session whose file exists, and refuses to resume one without conversation.
 *
 * @returns the new path, or `undefined` when there is no such file or it holds a conversation.
 * @throws the file system's error.
 */
export function setAsideStub(session: LocalSession): string | undefined {
  const path = mainTranscriptPath(session);
  const rows = readRows(path);
  if (rows === undefined || rows.entries.some(isConversation)) return undefined;
  return setAside(path, 'stub');
}

function isConversation(entry: TranscriptEntry): boolean {
  return entry.type === 'user' || entry.type === 'assistant';
}

function readRows(path: string): ReturnType<typeof parseTranscript> | undefined {
  const bytes = readIfExists(path);
  return bytes === undefined ? undefined : parseTranscript(bytes);
}

function readMetadata(session: LocalSession | TranscriptFile, subpath: string): TranscriptEntry[] {
  const bytes = readIfExists(subagentMetadataPath(session, subpath));
  if (bytes === undefined) return [];
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return [{ ...value, type: metadataType }];
  } catch {
    return [];
  }
}

function printMetadata(metadata: TranscriptEntry): string {
  const { type: _type, ...fields } = metadata;
  return JSON.stringify(fields);
}

function printRows(rows: readonly TranscriptEntry[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileDurably(path, text, { mode: 0o600 });
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Subpaths of all subagents that have a file, workflow runs one level deeper among them. */
function subagentPaths(session: LocalSession | TranscriptFile): string[] {
  const found = new Set<string>();
  for (const name of filesBelow(sessionDirectory(session), 'subagents')) {
    const match = /^(.*)\.(?:jsonl|meta\.json)$/.exec(name);
    if (match?.[1] !== undefined) found.add(match[1]);
  }
  return [...found].sort();
}

function filesBelow(base: string, folder: string): string[] {
  const entries = readFolder(join(base, folder));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(base, path);
    return entry.isFile() && /^[\w.-]+$/.test(entry.name) ? [path] : [];
  });
}

function readFolder(path: string): ReturnType<typeof readFolderEntries> {
  try {
    return readFolderEntries(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function readFolderEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

/** How the files of a session stand now, without reading them. */
export function stampLocalTranscript(session: LocalSession | TranscriptFile): LocalStamp {
  const base = sessionDirectory(session);
  const stamp = new Map<string, string>();
  addStamp(stamp, '', mainTranscriptPath(session));
  for (const name of filesBelow(base, 'subagents')) addStamp(stamp, name, join(base, name));
  return stamp;
}

function addStamp(stamp: Map<string, string>, name: string, path: string): void {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) stamp.set(name, `${stats.ino}-${stats.size}-${stats.mtimeNs}`);
}

/** True when no file was written, added or removed between the two. */
export function isSameStamp(left: LocalStamp, right: LocalStamp): boolean {
  return left.size === right.size && [...left].every(([name, mark]) => right.get(name) === mark);
}

function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
