import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { projectKeyOf } from '../../claude/project-key.ts';
import { parseLineage } from '../../continuity/lineage-file.ts';
import { migrations } from '../../database/migrations.ts';
import { openReadOnly, type ReadOnlyConnection } from '../../database/open-read-only.ts';
import { runTables, tableRows } from '../../database/table-rows.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { realDirectory } from '../../files/real-directory.ts';
import { syncDirectory } from '../../files/sync-directory.ts';
import { readFlowerVersion } from '../assemble-runtime.ts';
import type { RunDirectoryOptions } from '../run-directory.ts';
import {
  archiveFormat,
  type ArchiveHeader,
  type ArchiveLine,
  archiveVersion,
} from './archive-line.ts';
import { carriedFiles } from './carried-files.ts';
import { redactCell, redactTextWith } from './redact-cell.ts';
import { settleRunDirectory } from './settle-run-directory.ts';
import { takeInLocalRows } from './take-in-local.ts';

/** What is exported, and whereto. */
export interface ExportOptions extends RunDirectoryOptions {
  /** Path of the file; an earlier export there is replaced. */
  readonly file: string;
  /** Values to replace, as `secretValues` gives them; `undefined` keeps everything. */
  readonly secrets: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What was exported. */
export interface ExportReport {
  readonly file: string;
  readonly workspace: string;
  readonly sessions: number;
  /** Transcript rows. */
  readonly entries: number;
  readonly files: number;
  readonly redacted: boolean;
}

/** Lines are gathered to pieces of this many characters, so that compression has something to do. */
const pieceLength = 65_536;

/** Half the time of the default, for a few percent more bytes. */
const compressionLevel = 3;

/**
 * Writes a whole run as one file: transcripts, lineage, states, manifest, workbench.
 *
 * A consistent state of the database, also while a run writes it; never more than a row or a file
 * of it in memory. The file is its owner's alone, and on disk under its name when it resolves.
 *
 * @throws FlowerError `session-unknown` when there is no history, `archive-invalid` when the path
 *   holds something else than an earlier export.
 */
export async function exportRun(options: ExportOptions): Promise<ExportReport> {
  const runDir = resolve(options.runDir ?? 'runs');
  const file = resolve(options.file);
  await assertReplaceable(file);
  const workspace = settleRunDirectory(runDir, workspaceOf(runDir, options.workspace));
  await takeInLocalRows(workspace, runDir, options.env);
  const connection = openReadOnly(join(runDir, 'sessions.db'));
  if (connection === undefined) throw noHistory(runDir);
  const counts = { rows: 0, files: 0 };
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    connection.exec('BEGIN');
    const lines = linesOf(connection, { ...options, runDir, workspace }, counts);
    const sink = createWriteStream(part, { mode: 0o600 });
    await pipeline(Readable.from(pieces(lines)), createGzip({ level: compressionLevel }), sink);
    giveName(part, file);
    const count = (sql: string): number => connection.prepare<[], number>(sql).pluck().get() ?? 0;
    return {
      file,
      workspace,
      sessions: count("SELECT count(*) FROM session_streams WHERE subpath = ''"),
      entries: count('SELECT count(*) FROM session_entries'),
      files: counts.files,
      redacted: options.secrets !== undefined,
    };
  } finally {
    connection.close();
    rmSync(part, { force: true });
  }
}

function* linesOf(
  connection: ReadOnlyConnection,
  options: ExportOptions & { readonly runDir: string; readonly workspace: string },
  counts: { rows: number; files: number },
): Generator<ArchiveHeader | ArchiveLine, void, undefined> {
  const { secrets, runDir, workspace } = options;
  yield {
    format: archiveFormat,
    version: archiveVersion,
    schema: migrations.length,
    flower: readFlowerVersion(),
    exportedAt: new Date().toISOString(),
    workspace,
    projectKey: projectKeyOf(workspace),
    redacted: secrets !== undefined,
  };
  for (const table of runTables(connection)) {
    yield { kind: 'table', ...table };
    for (const cells of tableRows(connection, table)) {
      counts.rows += 1;
      yield { kind: 'row', cells: cells.map((cell) => redactCell(cell, secrets)) };
    }
  }
  const redact = redactTextWith(secrets);
  const folders = [
    { root: 'workbench', base: join(workspace, '.flower') },
    { root: 'run', base: runDir, below: 'adopted' },
    { root: 'run', base: runDir, below: 'archive' },
  ] as const;
  for (const folder of folders) {
    for (const line of carriedFiles(folder, redact)) {
      if (line.kind === 'file') counts.files += 1;
      yield line;
    }
  }
  yield { kind: 'end', ...counts };
}

function* pieces(lines: Iterable<ArchiveHeader | ArchiveLine>): Generator<string, void, undefined> {
  let piece = '';
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** The run's own workspace: a run directory can be exported from anywhere. */
function workspaceOf(runDir: string, asked: string): string {
  try {
    const text = readFileSync(join(runDir, 'lineage.json'), 'utf8');
    return parseLineage(text)?.workspace ?? realDirectory(asked);
  } catch {
    return realDirectory(asked);
  }
}

function noHistory(runDir: string): FlowerError {
  return new FlowerError('history-missing', { path: runDir });
}

/** A typing error must not cost a file that is something else. */
async function assertReplaceable(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const source = createReadStream(file);
  const head = createGunzip();
  try {
    source.on('error', (error) => head.destroy(error));
    for await (const chunk of source.pipe(head)) {
      if (String(chunk).startsWith(`{"format":"${archiveFormat}"`)) return;
      break;
    }
  } catch {
    // No gzip file.
  } finally {
    source.destroy();
  }
  throw new FlowerError('archive-invalid', { path: file, reason: 'foreign' });
}

function giveName(part: string, file: string): void {
  const descriptor = openSync(part, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, file);
  syncDirectory(dirname(file));
}
