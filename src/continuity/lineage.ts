import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDatabase } from '../database/run-database.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { setAside } from '../files/set-aside.ts';
import { FileView } from '../database/file-view.ts';
import { makeArchiveFolder, moveIntoFolder } from './archive-folder.ts';
import { isSessionId, type LineageFile, parseLineage } from './lineage-file.ts';
import {
  findLineage,
  findLineageHead,
  type FoundLineage,
  type LineageHead,
  type LineageStep,
  lineageView,
  readLineageHeads,
  readLineageStep,
  readLineageSteps,
  renderLineage,
  sessionsOf,
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

/** How a {@link Lineage} is opened. */
export interface LineageOptions {
  readonly database: RunDatabase;
  /** Path of `lineage.json`. */
  readonly path: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /**
   * Take over the history of the workspace that was here last and whose path is gone; what this
   * workspace did since is set aside. Nothing happens when none is gone. @defaultValue `false`
   */
  readonly moved?: boolean;
  /**
   * The database was damaged and is new, filled with what could be read of the old one: steps that
   * only the file names come back. @defaultValue `false`
   */
  readonly isReplaced?: boolean;
  readonly onWriteFailure: (error: unknown) => void;
}

/**
 * Which step used which session: the one line that a restart must not lose.
 *
 * `lineage.json` is `{workspace, woke, steps}`. Its truth is in the database, so that processes
 * side by side never lose an entry; a file that somebody else wrote wins over it. Each workspace has
 * a history of its own, and the file shows that of the one that ran last. Mismatch is absence:
 * another workspace, a damaged file or no file start from nothing, and the file that did not fit is
 * set aside. A new id stands as pending beside the old one until its first record.
 */
export class Lineage {
  readonly #database: RunDatabase;
  readonly #workspace: string;
  readonly #path: string;
  readonly #view: FileView;
  #movedFrom: string | undefined;
  /** Set when an earlier conversation was found and does not count. */
  readonly absence: LineageAbsence | undefined;

  private constructor(options: LineageOptions) {
    this.#database = options.database;
    this.#workspace = options.workspace;
    this.#path = options.path;
    this.#view = new FileView({
      database: options.database,
      path: options.path,
      file: lineageView,
      render: () => renderLineage(this.#head(), this.#steps()),
      onFailure: options.onWriteFailure,
    });
    this.absence = options.database.immediate(() => {
      const absence = this.#settle(options.moved ?? false);
      if (options.isReplaced === true && absence === undefined) this.#restore();
      return absence;
    });
  }

  /** Reads what stands there; never throws for what it finds. */
  static open(options: LineageOptions): Lineage {
    return new Lineage(options);
  }

  /** Former path of this workspace, when its history was taken over under a new one. */
  get movedFrom(): string | undefined {
    return this.#movedFrom;
  }

  /** How often this directory was woken; the first run is 1. */
  get woke(): number {
    return this.#head().woke;
  }

  /** Names this history: values of another one do not count. */
  get epoch(): number {
    return this.#head().epoch;
  }

  /** Session by step key, pending ones where there is no other. */
  get steps(): Record<string, string> {
    return sessionsOf(this.#steps());
  }

  /** The step's session that has records. */
  sessionOf(key: string): string | undefined {
    return this.#row(key)?.session_id ?? undefined;
  }

  /** The step's session that was chosen and has no record yet. */
  pendingOf(key: string): string | undefined {
    return this.#row(key)?.pending_id ?? undefined;
  }

  /** One more waking; on disk when it returns the new count. */
  bump(): number {
    this.#change(() => {
      this.#database.connection
        .prepare('UPDATE lineages SET woke = woke + 1 WHERE workspace = ?')
        .run(this.#workspace);
    });
    return this.woke;
  }

  /** Notes the session that is about to be opened, beside the old one; on disk when it returns. */
  propose(key: string, sessionId: string): void {
    this.#change(() => {
      this.#database.connection
        .prepare(
          `INSERT INTO lineage_sessions (epoch, key, pending_id) VALUES (?, ?, ?)
             ON CONFLICT (epoch, key) DO UPDATE SET pending_id = excluded.pending_id`,
        )
        .run(this.epoch, key, sessionId);
    });
  }

  /** The session has its first record (or is known to have some): it replaces the old one. */
  remember(key: string, sessionId: string): void {
    if (!isSessionId(sessionId)) return;
    this.#change(() => {
      this.#database.connection
        .prepare(
          `INSERT INTO lineage_sessions (epoch, key, session_id) VALUES (?, ?, ?)
             ON CONFLICT (epoch, key) DO UPDATE
             SET session_id = excluded.session_id, pending_id = NULL`,
        )
        .run(this.epoch, key, sessionId);
    });
  }

  /** Forgets a step's session: its next run opens a new one. */
  forget(key: string): void {
    this.#change(() => {
      this.#database.connection
        .prepare('DELETE FROM lineage_sessions WHERE epoch = ? AND key = ?')
        .run(this.epoch, key);
    });
  }

  /**
   * Closes this history: moves `lineage.json` and the extra files into a new folder below `into`,
   * zeroes `steps` and `woke`. Transcripts stay in the database. Missing files are passed over.
   *
   * @returns the folder `<into>/<YYYYmmdd-HHMMSS>`, with `-2`, `-3` ... when that is taken
   */
  archive(into: string, { extra = [] }: { readonly extra?: readonly string[] } = {}): string {
    this.#view.flush();
    const folder = makeArchiveFolder(join(into, fileStamp(new Date())));
    this.#database.immediate(() => {
      for (const path of [this.#path, ...extra]) moveIntoFolder(folder, path);
      this.#begin(this.#workspace, 0);
    });
    this.#view.update();
    return folder;
  }

  /** Writes `lineage.json` if a write is due. */
  flush(): void {
    this.#view.flush();
  }

  #change(work: () => void): void {
    this.#database.immediate(work);
    this.#view.update();
  }

  /** Brings database and file together; says why an earlier history does not count. */
  #settle(moved: boolean): LineageAbsence | undefined {
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

  #restore(): void {
    const file = this.#view.read();
    const shown = file.kind === 'ours' ? parseLineage(file.text) : undefined;
    if (shown?.workspace !== this.#workspace) return;
    const insert = this.#database.connection.prepare(
      'INSERT OR IGNORE INTO lineage_sessions (epoch, key, session_id) VALUES (?, ?, ?)',
    );
    for (const [key, id] of Object.entries(shown.steps)) insert.run(this.epoch, key, id);
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

  /** A new history of a workspace in place of its old one. Its number was never used before. */
  #begin(workspace: string, woke: number): number {
    const { connection } = this.#database;
    connection.prepare('DELETE FROM lineages WHERE workspace = ?').run(workspace);
    const { lastInsertRowid } = connection
      .prepare(
        `INSERT INTO lineages (workspace, woke, epoch) VALUES (?, ?, 1 + max(
           coalesce((SELECT max(epoch) FROM lineages), 0),
           coalesce((SELECT max(epoch) FROM flow_runs), 0),
           coalesce((SELECT max(epoch) FROM step_states), 0)))`,
      )
      .run(workspace, woke);
    this.#view.forget();
    return Number(lastInsertRowid);
  }

  #head(): LineageHead {
    const heads = readLineageHeads(this.#database.connection);
    const head = heads.find(({ workspace }) => workspace === this.#workspace);
    if (head === undefined) throw new Error('The lineage was not opened.');
    return head;
  }

  #steps(): LineageStep[] {
    return readLineageSteps(this.#database.connection, this.epoch);
  }

  #row(key: string): LineageStep | undefined {
    return readLineageStep(this.#database.connection, this.epoch, key);
  }
}
