import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDatabase } from '../database/run-database.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { FileView } from '../database/file-view.ts';
import { makeArchiveFolder, moveIntoFolder } from './archive-folder.ts';
import { isSessionId } from './lineage-file.ts';
import {
  type LineageHead,
  type LineageStep,
  lineageView,
  readLineageHeads,
  readLineageStep,
  readLineageSteps,
  renderLineage,
  sessionsOf,
} from './read-lineage.ts';
import { beginHistory, type LineageAbsence, LineageSettlement } from './settle-lineage.ts';

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
  /** Former path of this workspace, when its history was taken over under a new one. */
  readonly movedFrom: string | undefined;
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
    const settlement = new LineageSettlement({ ...options, view: this.#view });
    this.absence = options.database.immediate(() => {
      const absence = settlement.settle(options.moved ?? false);
      if (options.isReplaced === true && absence === undefined) settlement.restore();
      return absence;
    });
    this.movedFrom = settlement.movedFrom;
    // A history without any step is shown too.
    if (!existsSync(options.path)) this.#view.update();
  }

  /**
   * Reads what stands there; never throws for what it finds. Workflows open it themselves.
   *
   * @internal
   */
  static open(options: LineageOptions): Lineage {
    return new Lineage(options);
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
      beginHistory(this.#database, this.#view, { workspace: this.#workspace, woke: 0 });
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
