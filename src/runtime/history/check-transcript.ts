import { readFileSync } from 'node:fs';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { parseTranscript } from '../../transcript/parse-lines.ts';
import type { DroppedRow, RepairedRow } from '../../transcript/report.ts';
import { isSidechain } from '../../transcript/row.ts';
import { shapeTranscript } from '../../transcript/shape.ts';
import { type ConversationOptions, readConversation } from './read-conversation.ts';

/** A piece of the file that is no row. */
export interface DamagedPiece {
  readonly uuid: null;
  readonly why: 'damaged';
}

/** What a resume of a transcript would be fed, and what was done to get there. */
export interface TranscriptCheck {
  readonly entries: readonly TranscriptEntry[];
  readonly dropped: readonly (DroppedRow | DamagedPiece)[];
  readonly repaired: readonly RepairedRow[];
  /** False when rows are missing: they should be looked for before anything is resumed. */
  readonly safe: boolean;
}

/**
 * Checks a transcript file, wherever it is. Looks only; needs no run directory.
 *
 * @throws the file system's error when it cannot be read.
 */
export function checkTranscriptFile(path: string): TranscriptCheck {
  const { entries, damaged } = parseTranscript(readFileSync(path));
  const pieces: DamagedPiece[] = Array.from({ length: damaged }, () => damagedPiece);
  const shaped = shapeTranscript(entries, { sidechain: isSubagent(entries) });
  return { ...shaped, dropped: [...pieces, ...shaped.dropped] };
}

/**
 * Checks a session of a run directory or of plain Claude Code, as its next resume would find it.
 * Looks only.
 *
 * @throws FlowerError `session-unknown`, `workspace-missing`
 */
export function checkSession(options: ConversationOptions): TranscriptCheck {
  const { sessionId, main } = readConversation(options);
  return shapeTranscript(main, { sessionId });
}

const damagedPiece: DamagedPiece = Object.freeze({ uuid: null, why: 'damaged' });

/** A subagent's own file: every message in it is marked. */
function isSubagent(entries: readonly TranscriptEntry[]): boolean {
  const messages = entries.filter((row) => row.type === 'user' || row.type === 'assistant');
  return messages.length > 0 && messages.every(isSidechain);
}
