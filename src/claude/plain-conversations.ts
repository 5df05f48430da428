import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { parseTranscript } from '../transcript/parse-lines.ts';
import { blocksOf, messageOf, plainText } from '../transcript/row.ts';
import { configDirectory, projectKeyOf } from './project-key.ts';

/** A conversation in Claude Code's own files. */
export interface PlainConversation {
  readonly sessionId: string;
  /** Path of its file. */
  readonly path: string;
  /** Last write, epoch milliseconds. */
  readonly modifiedMs: number;
  /** What the person said first; empty when that stands too far from the beginning. */
  readonly firstPrompt: string;
}

/** The first prompt stands within this many bytes. */
const headBytes = 262_144;
const sessionFile = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/i;

/** The folder where Claude Code keeps the conversations of a workspace. */
export function conversationsFolder(
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return join(configDirectory(env), 'projects', projectKeyOf(workspace));
}

/**
 * The conversations that Claude Code keeps of a workspace, the newest first. Looks only.
 *
 * Files without any message are passed over.
 */
export function plainConversations(
  workspace: string,
  env: Readonly<Record<string, string | undefined>>,
): PlainConversation[] {
  const folder = conversationsFolder(workspace, env);
  return namesIn(folder)
    .filter((name) => sessionFile.test(name))
    .flatMap((name) => conversationAt(join(folder, name)))
    .sort((left, right) => right.modifiedMs - left.modifiedMs);
}

function conversationAt(path: string): PlainConversation[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return [];
  const rows = parseTranscript(readHead(path)).entries;
  if (!rows.some((row) => row.type === 'user' || row.type === 'assistant')) return [];
  return [
    {
      sessionId: basename(path, '.jsonl'),
      path,
      modifiedMs: stats.mtimeMs,
      firstPrompt: firstPrompt(rows),
    },
  ];
}

function firstPrompt(rows: readonly TranscriptEntry[]): string {
  const prompt = rows.find(
    (row) => row.type === 'user' && row['isMeta'] !== true && row['isSidechain'] !== true,
  );
  if (prompt === undefined) return '';
  const whole = plainText(messageOf(prompt)?.['content']);
  if (whole !== undefined) return whole;
  return blocksOf(prompt)
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))
    .join(' ');
}

function readHead(path: string): Uint8Array {
  const bytes = Buffer.alloc(headBytes);
  const descriptor = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
