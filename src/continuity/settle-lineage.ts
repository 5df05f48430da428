import { existsSync } from 'node:fs';
import type { FileView } from '../database/file-view.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { setAside } from '../files/set-aside.ts';
import { type LineageFile, parseLineage } from './lineage-file.ts';
import {
  findLineage,
  findLineageHead,
  type FoundLineage,
  type LineageHead,
  readLineageHeads,
} from './read-lineage.ts';

/** Why an earlier conversation is not continued, or a file did not count. */
export type LineageAbsence =
  | { readonly reason: 'damaged'; readonly setAside: string }
  /** The workspace goes on with its own history; the file showed another one's. */
  | { readonly reason: 'foreign-file'; readonly setAside: string }
  | {
      readonly reason: 'other-workspace';
      readonly workspace: string;
      /** True when that workspace is not there any more: `moved` would continue it. */
      readonly isGone: boolean;
      /** Empty when there was no file to move. */
      readonly setAside: string;
    };

/** What is brought together. */
export interface LineagePlace {
  readonly database: RunDatabase;
  /** Path of `lineage.json`. */
  readonly path: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly view: FileView;
}

/**
 * Brings the lineage of the database and the file together, when a run begins.
 *
 * Call `settle` inside a transaction.
 */
export class LineageSettlement {
  readonly #database: RunDatabase;
  readonly #path: string;
  readonly #workspace: string;
  readonly #view: FileView;
  #movedFrom: string | undefined;

  constructor({ database, path, workspace, view }: LineagePlace) {
    this.#database = database;
    this.#path = path;
    this.#workspace = workspace;
    this.#view = view;
  }

  /** Former path of this workspace, when its history was taken over under a new one. */
  get movedFrom(): string | undefined {
    return this.#movedFrom;
  }

  /** Says why an earlier history does not count. */
  settle(moved: boolean): LineageAbsence | undefined {
    const found = findLineage(this.#database.connection, this.#path, this.#workspace);
    const foreign = found.kind === 'other' ? found.file : undefined;
    if (foreign !== undefined) this.#adopt(foreign);
    if (moved && this.#takeOverMoved(found)) return undefined;
    switch (found.kind) {
      case 'own':
        return this.#goOn(found);
      case 'file':
        return this.#goOnFromFile(found);
      case 'other':
        return this.#startBeside(found.workspace);
      case 'damaged':
        this.#begin(this.#workspace, 0);
        return { reason: 'damaged', setAside: setAside(this.#path, 'damaged') };
      case 'none':
        this.#begin(this.#workspace, 0);
        return undefined;
    }
  }

  #goOn({ head, foreign }: Extract<FoundLineage, { kind: 'own' }>): LineageAbsence | undefined {
    this.#rename(head);
    if (foreign === undefined) return undefined;
    this.#adopt(foreign);
    return { reason: 'foreign-file', setAside: setAside(this.#path, 'other-workspace') };
  }

  #goOnFromFile({
    file,
    text,
  }: Extract<FoundLineage, { kind: 'file' }>): LineageAbsence | undefined {
    const { workspace } = file;
    this.#adopt({ ...file, workspace: this.#workspace });
    if (workspace !== this.#workspace) this.#movedFrom = workspace;
    if (file.unusable.length > 0) {
      return { reason: 'damaged', setAside: setAside(this.#path, 'damaged') };
    }
    this.#view.accept(text);
    return undefined;
  }

  /** Steps that only the file names come back into a database that had to be made anew. */
  restore(): void {
    const file = this.#view.read();
    const shown = file.kind === 'ours' ? parseLineage(file.text) : undefined;
    if (shown?.workspace !== this.#workspace) return;
    const insert = this.#database.connection.prepare(
      'INSERT OR IGNORE INTO lineage_sessions (epoch, key, session_id) VALUES (?, ?, ?)',
    );
    const head = findLineageHead(readLineageHeads(this.#database.connection), this.#workspace);
    for (const [key, id] of Object.entries(shown.steps)) insert.run(head?.epoch ?? 0, key, id);
  }

  #startBeside(workspace: string): LineageAbsence {
    this.#begin(this.#workspace, 0);
    return {
      reason: 'other-workspace',
      workspace,
      isGone: !existsSync(workspace),
      setAside: existsSync(this.#path) ? setAside(this.#path, 'other-workspace') : '',
    };
  }

  /**
   * The history of the workspace that the file shows, or of the last one, whose path is gone. A run
   * that was started here without `moved` by mistake has made one of its own: it gives way.
   */
  #takeOverMoved(found: FoundLineage): boolean {
    const { connection } = this.#database;
    const heads = readLineageHeads(connection);
    const gone = heads.filter(({ workspace }) => !existsSync(workspace));
    const shown = found.kind === 'other' ? found.workspace : undefined;
    const head = gone.find(({ workspace }) => workspace === shown) ?? gone[0];
    if (head === undefined) return false;
    if (found.kind !== 'other' && existsSync(this.#path)) setAside(this.#path, 'before-moved');
    const own = findLineageHead(heads, this.#workspace);
    connection.prepare('DELETE FROM lineages WHERE epoch = ?').run(own?.epoch ?? null);
    this.#rename(head);
    return true;
  }

  #rename({ epoch, workspace }: LineageHead): void {
    if (workspace === this.#workspace) return;
    this.#movedFrom = workspace;
    this.#database.connection
      .prepare('UPDATE lineages SET workspace = ? WHERE epoch = ?')
      .run(this.#workspace, epoch);
  }

  #adopt(file: LineageFile): void {
    const epoch = this.#begin(file.workspace, file.woke);
    const insert = this.#database.connection.prepare(
      'INSERT INTO lineage_sessions (epoch, key, session_id) VALUES (?, ?, ?)',
    );
    for (const [key, id] of Object.entries(file.steps)) insert.run(epoch, key, id);
  }

  #begin(workspace: string, woke: number): number {
    return beginHistory(this.#database, this.#view, { workspace, woke });
  }
}

/**
 * A new history of a workspace in place of its old one. Its number was never used before.
 *
 * @returns the number
 */
export function beginHistory(
  { connection }: RunDatabase,
  view: FileView,
  { workspace, woke }: Pick<LineageHead, 'workspace' | 'woke'>,
): number {
  connection.prepare('DELETE FROM lineages WHERE workspace = ?').run(workspace);
  const { lastInsertRowid } = connection
    .prepare(
      `INSERT INTO lineages (workspace, woke, epoch) VALUES (?, ?, 1 + max(
         coalesce((SELECT max(epoch) FROM lineages), 0),
         coalesce((SELECT max(epoch) FROM flow_runs), 0),
         coalesce((SELECT max(epoch) FROM step_states), 0)))`,
    )
    .run(workspace, woke);
  view.forget();
  return Number(lastInsertRowid);
}
