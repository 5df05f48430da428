import type { RunDatabase } from '../database/run-database.ts';
import { readViewFile, type ViewFile, wasViewWritten } from '../database/view-file.ts';
import { isSameDirectory } from '../files/same-directory.ts';
import { type LineageFile, parseLineage } from './lineage-file.ts';

type Connection = RunDatabase['connection'];

/** Name under which the database remembers the texts of `lineage.json`. */
export const lineageView = 'lineage';

/** One row for each workspace that was run with this directory. */
export interface LineageHead {
  /** Names this history; a workspace that starts over gets a new one. */
  readonly epoch: number;
  /** Real path. */
  readonly workspace: string;
  readonly woke: number;
}

/** The sessions of one step. */
export interface LineageStep {
  readonly key: string;
  readonly session_id: string | null;
  readonly pending_id: string | null;
}

/** What a workspace finds when its lineage is opened. */
export type FoundLineage =
  /** Its own history; `foreign` when the file shows another workspace's, written by somebody else. */
  | { readonly kind: 'own'; readonly head: LineageHead; readonly foreign?: LineageFile }
  /** Its own history, written by somebody else: the file counts more than the database. */
  | { readonly kind: 'file'; readonly file: LineageFile; readonly text: string }
  /** Another workspace's history; with `file` when the database does not hold it. */
  | { readonly kind: 'other'; readonly workspace: string; readonly file?: LineageFile }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'none' };

/** Heads of all workspaces, the newest history first. */
export function readLineageHeads(connection: Connection): LineageHead[] {
  return connection
    .prepare<[], LineageHead>('SELECT epoch, workspace, woke FROM lineages ORDER BY epoch DESC')
    .all();
}

/** The head of a workspace, under whatever name it was reached. */
export function findLineageHead(
  heads: readonly LineageHead[],
  workspace: string,
): LineageHead | undefined {
  return (
    heads.find((head) => head.workspace === workspace) ??
    heads.find((head) => isSameDirectory(head.workspace, workspace))
  );
}

/** Every step of a history that has a session. */
export function readLineageSteps(connection: Connection, epoch: number): LineageStep[] {
  return connection
    .prepare<[number], LineageStep>(
      'SELECT key, session_id, pending_id FROM lineage_sessions WHERE epoch = ? ORDER BY key',
    )
    .all(epoch);
}

/** One step of a history; looked up, so that it takes the same time in a long history. */
export function readLineageStep(
  connection: Connection,
  epoch: number,
  key: string,
): LineageStep | undefined {
  return connection
    .prepare<[number, string], LineageStep>(
      'SELECT key, session_id, pending_id FROM lineage_sessions WHERE epoch = ? AND key = ?',
    )
    .get(epoch, key);
}

/** Session by step key, pending ones where there is no other. */
export function sessionsOf(steps: readonly LineageStep[]): Record<string, string> {
  const pairs = steps.flatMap(({ key, session_id: id, pending_id: pending }) => {
    const session = id ?? pending;
    return session === null ? [] : [[key, session] as const];
  });
  return Object.fromEntries(pairs);
}

/** The text of `lineage.json` for what the database holds. */
export function renderLineage(head: LineageHead, steps: readonly LineageStep[]): string {
  const { workspace, woke } = head;
  return `${JSON.stringify({ workspace, woke, steps: sessionsOf(steps) }, null, 2)}\n`;
}

/** What a workspace finds in this directory. Looks only. */
export function findLineage(connection: Connection, path: string, workspace: string): FoundLineage {
  const file = readViewFile(connection, { path, file: lineageView });
  const heads = readLineageHeads(connection);
  const own = findLineageHead(heads, workspace);
  const shown = file.kind === 'absent' ? undefined : parseLineage(file.text);
  if (isDatabaseTrue(connection, file, heads)) {
    if (own !== undefined) return { kind: 'own', head: own };
    const other = shown?.workspace ?? heads[0]?.workspace;
    return other === undefined ? { kind: 'none' } : { kind: 'other', workspace: other };
  }
  if (file.kind === 'absent') return { kind: 'none' };
  if (shown === undefined) return { kind: 'damaged' };
  if (isSameDirectory(shown.workspace, workspace)) {
    return { kind: 'file', file: shown, text: file.text };
  }
  if (own !== undefined) return { kind: 'own', head: own, foreign: shown };
  return { kind: 'other', workspace: shown.workspace, file: shown };
}

/**
 * The lineage of a workspace, as opening it would find it; `undefined` when there is none, or it is
 * another's or damaged. Looks only.
 */
export function readLineage(
  connection: Connection,
  path: string,
  workspace: string,
): (Omit<LineageFile, 'unusable'> & { readonly epoch: number | null }) | undefined {
  const found = findLineage(connection, path, workspace);
  if (found.kind === 'file') return { ...found.file, epoch: null };
  if (found.kind !== 'own') return undefined;
  return { ...found.head, steps: sessionsOf(readLineageSteps(connection, found.head.epoch)) };
}

/**
 * True when the database says more than the file: the file is one of our own writings, perhaps one
 * whose hash a kill left out, or it could not be written yet.
 */
function isDatabaseTrue(
  connection: Connection,
  file: ViewFile,
  heads: readonly LineageHead[],
): boolean {
  if (heads.length === 0) return false;
  if (file.kind === 'ours') return true;
  if (file.kind === 'absent') return !wasViewWritten(connection, lineageView);
  return heads.some(
    (head) => file.text === renderLineage(head, readLineageSteps(connection, head.epoch)),
  );
}
