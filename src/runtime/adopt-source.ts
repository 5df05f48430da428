import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { TranscriptFile } from '../claude/local-paths.ts';
import { type LocalTranscript, readLocalTranscript } from '../claude/local-transcript.ts';
import { conversationsFolder } from '../claude/plain-conversations.ts';
import { projectKeyOf } from '../claude/project-key.ts';
import { isSessionId } from '../continuity/lineage-file.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';

/** Which conversation is meant: a session of Claude Code in this directory, or a file anywhere. */
export type AdoptSource = { readonly sessionId: string } | { readonly file: string };

/** A conversation that was found, and the id that it gets here. */
export interface FoundConversation {
  readonly place: TranscriptFile;
  readonly local: LocalTranscript;
  /** Id under which it is taken in. */
  readonly sessionId: string;
}

/**
 * Reads the conversation that is meant. Looks only.
 *
 * It keeps its id when it is of this workspace: the file lies in Claude Code's folder of the
 * workspace, or the first directory that its rows name is the workspace. Otherwise it gets a new
 * one, the same at every call.
 *
 * @param workspace - Real path.
 * @throws FlowerError `conversation-unknown` when there is no such file or no message in it.
 */
export function findConversation(
  source: AdoptSource,
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): FoundConversation {
  const folder = conversationsFolder(workspace, env);
  const file = 'file' in source ? source.file : join(folder, `${source.sessionId}.jsonl`);
  const what = 'file' in source ? basename(source.file) : source.sessionId;
  const local = file.endsWith('.jsonl') ? readIfFile({ file }) : undefined;
  if (local?.main.some(isMessage) !== true) {
    throw new FlowerError('conversation-unknown', { what, place: dirname(file) });
  }
  const named = namedSession(local.main) ?? basename(file, '.jsonl');
  const isHere = dirname(file) === folder || isOfWorkspace(local.main, workspace);
  const sessionId = isHere && isSessionId(named) ? named : idFor(named, workspace);
  return { place: { file }, local, sessionId };
}

function readIfFile(place: TranscriptFile): LocalTranscript | undefined {
  try {
    return readLocalTranscript(place);
  } catch {
    // A folder, or a file that may not be read: there is no conversation to be had.
    return undefined;
  }
}

function isMessage(row: TranscriptEntry): boolean {
  return row.type === 'user' || row.type === 'assistant';
}

/** The session of the last message: a branch keeps the rows of its origin before its own. */
function namedSession(rows: readonly TranscriptEntry[]): string | undefined {
  const row = rows.findLast((candidate) => isMessage(candidate) && isText(candidate['sessionId']));
  return row === undefined ? undefined : String(row['sessionId']);
}

/** Rows that name no directory say nothing against this one. */
function isOfWorkspace(rows: readonly TranscriptEntry[], workspace: string): boolean {
  const directory = rows.map((row) => row['cwd']).find(isText);
  return directory === undefined || projectKeyOf(directory) === projectKeyOf(workspace);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A UUID made of the two names, so that taking the same file in again meets the same session. */
function idFor(sessionId: string, workspace: string): string {
  const hash = createHash('sha256').update(`${sessionId}\0${workspace}`).digest('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return parts.join('-');
}
