import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RunDatabase } from '../database/run-database.ts';
import { errorCode } from '../files/error-code.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { setAside } from '../files/set-aside.ts';
import { FileView } from '../database/file-view.ts';
import { isSameDirectory, isSessionId, type LineageFile, parseLineage } from './lineage-file.ts';

/** Why an earlier conversation is not continued. */
export type LineageAbsence =
  | { readonly reason: 'damaged'; readonly setAside: string }
  | {
      readonly reason: 'other-workspace';
      readonly workspace: string;
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
  /** Take over the lineage of a workspace that was moved. @defaultValue `false` */
  readonly moved?: boolean;
  readonly onWriteFailure: (error: unknown) => void;
}

interface StepRow {
  readonly key: string;
  readonly session_id: string | null;
  readonly pending_id: string | null;
}

/**
 * Which step used which session: the one line that a restart must not lose.
 *
 * `lineage.json` is `{workspace, woke, steps}`. Its truth is in the database, so that processes
 * side by side never lose an entry; a file that somebody else wrote wins over it. Mismatch is
 * absence: another workspace, a damaged file or no file start from nothing, and the file that did
 * not fit is set aside. A new id stands as pending beside the old one until its first record.
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
      file: 'lineage',
      render: () => this.#render(),
      onFailure: options.onWriteFailure,
    });
    this.absence = options.database.immediate(() => this.#settle(options.moved ?? false));
  }

  /** Reads what stands there; never throws for what it finds. */
  static open(options: LineageOptions): Lineage {
    return new Lineage(options);
  }

  /** Workspace whose lineage was taken over here, with `moved`. */
  get movedFrom(): string | undefined {
    return this.#movedFrom;
  }

  /** How often this directory was woken; the first run is 1. */
  get woke(): number {
    return this.#head().woke;
  }

  /** Counts the histories of this directory: values of an older one do not count any more. */
  get epoch(): number {
    return this.#head().epoch;
  }

  /** Session by step key, pending ones where there is no other. */
  get steps(): Record<string, string> {
    const pairs = this.#rows().flatMap((row) => {
      const id = row.session_id ?? row.pending_id;
      return id === null ? [] : [[row.key, id] as const];
    });
    return Object.fromEntries(pairs);
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
      this.#database.connection.prepare('UPDATE lineage_head SET woke = woke + 1').run();
    });
    return this.woke;
  }

  /** Notes the session that is about to be opened, beside the old one; on disk when it returns. */
  propose(key: string, sessionId: string): void {
    this.#change(() => {
      this.#database.connection
        .prepare(
          `INSERT INTO lineage_steps (key, pending_id) VALUES (?, ?)
             ON CONFLICT (key) DO UPDATE SET pending_id = excluded.pending_id`,
        )
        .run(key, sessionId);
    });
  }

  /** The session has its first record (or is known to have some): it replaces the old one. */
  remember(key: string, sessionId: string): void {
    if (!isSessionId(sessionId)) return;
    this.#change(() => {
      this.#database.connection
        .prepare(
          `INSERT INTO lineage_steps (key, session_id) VALUES (?, ?)
             ON CONFLICT (key) DO UPDATE SET session_id = excluded.session_id, pending_id = NULL`,
        )
        .run(key, sessionId);
    });
  }

  /** Forgets a step's session: its next run opens a new one. */
  forget(key: string): void {
    this.#change(() => {
      this.#database.connection.prepare('DELETE FROM lineage_steps WHERE key = ?').run(key);
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
    const folder = makeFolder(join(into, fileStamp(new Date())));
    this.#database.immediate(() => {
      for (const path of [this.#path, ...extra]) moveInto(folder, path);
      this.#view.forget();
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
    const file = this.#view.read();
    const head = this.#headOrUndefined();
    // A file that is absent was taken away by somebody, unless it never could be written.
    const isShown = file.kind === 'ours' || (file.kind === 'absent' && !this.#view.wasWritten());
    if (isShown && head !== undefined) return this.#fit(head.workspace, moved);
    if (file.kind === 'absent') {
      this.#begin(this.#workspace, 0);
      return undefined;
    }
    const found = parseLineage(file.text);
    if (found === undefined) {
      this.#begin(this.#workspace, 0);
      return { reason: 'damaged', setAside: setAside(this.#path, 'damaged') };
    }
    this.#adopt(found);
    const absence = this.#fit(found.workspace, moved);
    if (absence !== undefined || found.unusable.length === 0) return absence;
    return { reason: 'damaged', setAside: setAside(this.#path, 'damaged') };
  }

  #fit(workspace: string, moved: boolean): LineageAbsence | undefined {
    if (isSameDirectory(workspace, this.#workspace)) return undefined;
    if (moved) {
      this.#movedFrom = workspace;
      this.#database.connection
        .prepare('UPDATE lineage_head SET workspace = ?')
        .run(this.#workspace);
      return undefined;
    }
    this.#begin(this.#workspace, 0);
    const aside = existsSync(this.#path) ? setAside(this.#path, 'other-workspace') : '';
    return { reason: 'other-workspace', workspace, setAside: aside };
  }

  #adopt(file: LineageFile): void {
    this.#begin(file.workspace, file.woke);
    const insert = this.#database.connection.prepare(
      'INSERT INTO lineage_steps (key, session_id) VALUES (?, ?)',
    );
    for (const [key, id] of Object.entries(file.steps)) insert.run(key, id);
  }

  #begin(workspace: string, woke: number): void {
    const { connection } = this.#database;
    connection
      .prepare(
        `INSERT INTO lineage_head (id, epoch, workspace, woke) VALUES (1, 1, @workspace, @woke)
           ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1, workspace = @workspace, woke = @woke`,
      )
      .run({ workspace, woke });
    connection.prepare('DELETE FROM lineage_steps').run();
  }

  #render(): string {
    const { workspace, woke } = this.#head();
    return `${JSON.stringify({ workspace, woke, steps: this.steps }, null, 2)}\n`;
  }

  #head(): { epoch: number; workspace: string; woke: number } {
    const head = this.#headOrUndefined();
    if (head === undefined) throw new Error('The lineage was not opened.');
    return head;
  }

  #headOrUndefined(): { epoch: number; workspace: string; woke: number } | undefined {
    return this.#database.connection
      .prepare<[], { epoch: number; workspace: string; woke: number }>(
        'SELECT epoch, workspace, woke FROM lineage_head',
      )
      .get();
  }

  #rows(): StepRow[] {
    return this.#database.connection
      .prepare<[], StepRow>('SELECT key, session_id, pending_id FROM lineage_steps ORDER BY key')
      .all();
  }

  #row(key: string): StepRow | undefined {
    return this.#database.connection
      .prepare<[string], StepRow>(
        'SELECT key, session_id, pending_id FROM lineage_steps WHERE key = ?',
      )
      .get(key);
  }
}

/** A new folder: two histories closed in one second must not share one. */
function makeFolder(stem: string): string {
  mkdirSync(dirname(stem), { recursive: true, mode: 0o700 });
  for (let count = 1; ; count += 1) {
    const folder = count === 1 ? stem : `${stem}-${count}`;
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

function moveInto(folder: string, path: string): void {
  try {
    renameSync(path, join(folder, basename(path)));
  } catch {
    // Missing, or not to be moved: the history is closed all the same.
  }
}
