import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectKeyOf } from '../../claude/project-key.ts';
import { buildDatabase, type DatabaseBuild } from '../../database/build-database.ts';
import { openReadOnly } from '../../database/open-read-only.ts';
import { type CellValue, insertInto, type RunTable, runTables } from '../../database/table-rows.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { realDirectory } from '../../files/real-directory.ts';
import { AttemptRows } from '../../ledger/attempt-rows.ts';
import { Manifest } from '../../ledger/manifest.ts';
import { SessionOwners } from '../../sessions/sqlite/session-owners.ts';
import { RunDirectory, type RunDirectoryOptions } from '../run-directory.ts';
import { writableRunDir } from '../writable-run-dir.ts';
import type { ArchiveHeader, ArchiveLine } from './archive-line.ts';
import { archiveLines } from './archive-lines.ts';
import { relocateRows, type RunPlace } from './relocate-row.ts';
import { StagedFiles } from './staged-files.ts';

/** What is imported, and whereto. */
export interface ImportOptions extends RunDirectoryOptions {
  /** Path of the exported run. */
  readonly file: string;
}

/** What was imported. */
export interface ImportReport {
  readonly workspace: string;
  readonly runDir: string;
  /** Workspace that the run was exported from. */
  readonly from: string;
  readonly exportedAt: string;
  readonly sessions: number;
  /** Transcript rows. */
  readonly entries: number;
  readonly files: number;
  /** Secrets were replaced when it was exported. */
  readonly redacted: boolean;
  /** Keys of the steps that go on here. */
  readonly steps: readonly string[];
}

/**
 * Makes an exported run the history of this workspace: running the same workflow goes on in it.
 *
 * Everything is unpacked beside its place and becomes visible at once when it is whole, the database
 * last; whatever goes wrong before leaves the run directory without a history.
 *
 * @throws FlowerError `history-exists`, `archive-invalid`, `database-newer`, `workspace-missing`,
 *   `run-dir-unwritable`
 */
export async function importRun(options: ImportOptions): Promise<ImportReport> {
  const workspace = realDirectory(options.workspace);
  const runDir = writableRunDir(options.runDir ?? 'runs');
  assertNoHistory(runDir);
  const file = resolve(options.file);
  const import_ = new RunImport({ workspace, projectKey: projectKeyOf(workspace) }, runDir, file);
  try {
    for await (const line of archiveLines(file)) import_.take(line);
    const header = import_.finish();
    return { ...(await report(header, workspace, runDir)), files: import_.files };
  } finally {
    import_.discard();
  }
}

/** An import on its way: rows in a database without its name, files beside their places. */
class RunImport {
  readonly #place: RunPlace;
  readonly #runDir: string;
  readonly #file: string;
  readonly #staged: StagedFiles;
  #header: ArchiveHeader | undefined;
  #build: DatabaseBuild | undefined;
  #tables: ReadonlyMap<string, RunTable> = new Map();
  #insert: ((cells: readonly CellValue[]) => void) | undefined;

  constructor(place: RunPlace, runDir: string, file: string) {
    this.#place = place;
    this.#runDir = runDir;
    this.#file = file;
    this.#staged = new StagedFiles({ workbench: join(place.workspace, '.flower'), run: runDir });
  }

  get files(): number {
    return this.#staged.count;
  }

  take(line: ArchiveHeader | ArchiveLine): void {
    if ('format' in line) return this.#begin(line);
    switch (line.kind) {
      case 'table':
        this.#insert = this.#inserter(line.name, line.columns);
        break;
      case 'row':
        this.#insertRow(line.cells);
        break;
      case 'file':
        this.#demand(this.#staged.begin(line.root, line.path, line.isExecutable));
        break;
      case 'bytes':
        this.#demand(this.#staged.append(Buffer.from(line.data, 'base64')));
        break;
      case 'end':
    }
  }

  /** The whole of it was read. */
  finish(): ArchiveHeader {
    const header = this.#header;
    if (header === undefined) throw this.#invalid();
    this.#staged.move();
    this.#build?.finish(() => assertNoHistory(this.#runDir));
    this.#build = undefined;
    return header;
  }

  discard(): void {
    this.#build?.discard();
    this.#staged.discard();
  }

  #begin(header: ArchiveHeader): void {
    this.#header = header;
    this.#build = buildDatabase(join(this.#runDir, 'sessions.db'), header.schema);
    const tables = runTables(this.#build.connection);
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  #inserter(name: string, columns: readonly string[]): (cells: readonly CellValue[]) => void {
    const known = this.#tables.get(name);
    const isOurs =
      columns.length > 0 && columns.every((it) => known?.columns.includes(it) === true);
    if (!isOurs || this.#build === undefined || this.#header === undefined) throw this.#invalid();
    const table = { name, columns };
    const relocate = relocateRows(table, this.#header, this.#place);
    const insert = insertInto(this.#build.connection, table);
    return (cells) => {
      this.#demand(cells.length === columns.length);
      insert(relocate(cells));
    };
  }

  #insertRow(cells: readonly CellValue[]): void {
    if (this.#insert === undefined) throw this.#invalid();
    try {
      this.#insert(cells);
    } catch (error) {
      throw FlowerError.is(error) ? error : this.#invalid(error);
    }
  }

  #demand(isRight: boolean): void {
    if (!isRight) throw this.#invalid();
  }

  #invalid(cause?: unknown): FlowerError {
    const params = { path: this.#file, reason: 'content' } as const;
    return new FlowerError('archive-invalid', params, { cause });
  }
}

/** An empty database is no history: a run that was refused leaves one. */
function assertNoHistory(runDir: string): void {
  const hasFile = ['lineage.json', 'manifest.json'].some((name) => existsSync(join(runDir, name)));
  if (hasFile || hasRows(join(runDir, 'sessions.db'))) {
    throw new FlowerError('history-exists', { path: runDir });
  }
}

function hasRows(path: string): boolean {
  if (!existsSync(path)) return false;
  const connection = openReadOnly(path);
  if (connection === undefined) return true;
  try {
    const tables = ['session_streams', 'attempt_rows', 'flow_runs', 'entries'];
    const present = connection
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    return tables
      .filter((table) => present.includes(table))
      .some((table) => connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined);
  } finally {
    connection.close();
  }
}

/** Shows the history in its files too, and says what it holds. */
async function report(
  header: ArchiveHeader,
  workspace: string,
  runDir: string,
): Promise<Omit<ImportReport, 'files'>> {
  const directory = RunDirectory.open({ workspace, runDir });
  try {
    await claimSessions(directory);
    const steps = showFiles(directory);
    const count = (sql: string): number =>
      directory.database.connection.prepare<[], number>(sql).pluck().get() ?? 0;
    return {
      workspace,
      runDir,
      from: header.workspace,
      exportedAt: header.exportedAt,
      sessions: count("SELECT count(*) FROM session_streams WHERE subpath = ''"),
      entries: count('SELECT count(*) FROM session_entries'),
      redacted: header.redacted,
      steps,
    };
  } finally {
    directory.close();
  }
}

/** Rows name the directory that they were written in; from now on the sessions are this one's. */
async function claimSessions(directory: RunDirectory): Promise<void> {
  const owners = new SessionOwners(directory.database);
  const sessions = await directory.store.listSessions(directory.projectKey);
  directory.database.immediate(() => {
    for (const { sessionId } of sessions) owners.claim(directory, sessionId);
  });
}

function showFiles(directory: RunDirectory): string[] {
  const { lineage, flush } = directory.lineage();
  const steps = Object.keys(lineage.steps);
  for (const key of steps) {
    const sessionId = lineage.sessionOf(key);
    // Noting what is noted already makes the file due.
    if (sessionId !== undefined) lineage.remember(key, sessionId);
  }
  flush();
  const manifest = new Manifest({
    database: directory.database,
    rows: new AttemptRows(directory.database),
    path: join(directory.runDir, 'manifest.json'),
    // The database holds every row; the next run writes the file.
    onWriteFailure: () => undefined,
    onSetAside: () => undefined,
  });
  manifest.update();
  manifest.flush();
  return steps;
}
