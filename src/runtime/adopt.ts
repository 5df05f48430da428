import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  mainTranscriptPath,
  subagentMetadataPath,
  subagentTranscriptPath,
} from '../claude/local-paths.ts';
import { FlowHistory } from '../continuity/flow-history.ts';
import { syncDirectory } from '../files/sync-directory.ts';
import type { SessionKey } from '../sessions/session-store.ts';
import { SessionOwners } from '../sessions/sqlite/session-owners.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { missingEntries } from '../transcript/merge.ts';
import { type AdoptSource, findConversation, type FoundConversation } from './adopt-source.ts';
import { RunDirectory, type RunDirectoryOptions } from './run-directory.ts';
import { takeLease } from './take-lease.ts';

/** What is taken over, and for which step. */
export interface AdoptOptions extends RunDirectoryOptions {
  readonly source: AdoptSource;
  /** Key of the step: its name, behind `flow/` for a named workflow. */
  readonly step: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What was taken over. */
export interface Adoption {
  readonly step: string;
  readonly sessionId: string;
  /** File that the conversation was read from; it is as it was. */
  readonly source: string;
  /** Rows that the run directory holds of it now, subagents included. */
  readonly rows: number;
  /** Rows among them that it did not hold before. */
  readonly added: number;
  readonly subagents: number;
  /** Pieces of the files that could not be read. */
  readonly damaged: number;
  /** Copy of the file as it was when it was first taken in. */
  readonly original: string;
  /** Session that the step had before; its transcript stays in the database. */
  readonly replaced: string | null;
  /** Where a damaged database was moved to; `null` when it was sound. */
  readonly setAside: string | null;
}

/**
 * Makes a conversation of plain Claude Code the session of a step.
 *
 * The rows are copied, what is there already is not copied again; the step's next run goes on in
 * them. The original stays as it is, and a copy of it in the run directory: once the step runs,
 * Claude Code goes on in the file of its own folder. All is on disk when it resolves, the lineage
 * last.
 *
 * @throws FlowerError `conversation-unknown`, `busy` when a living process has the session or the
 *   workflow, and what opening a run directory throws.
 */
export async function adopt(options: AdoptOptions): Promise<Adoption> {
  const directory = RunDirectory.open(options);
  try {
    const found = findConversation(options.source, directory.workspace, options.env);
    takeLease(directory, leaseOfFlow(options.step));
    takeLease(directory, `session ${found.sessionId}`);
    const original = keepOriginal(found, directory.runDir);
    const { rows, added } = await copyRows(found, directory);
    const replaced = giveToStep(options.step, found.sessionId, directory);
    return {
      step: options.step,
      sessionId: found.sessionId,
      source: found.place.file,
      rows,
      added,
      subagents: found.local.subagents.size,
      damaged: found.local.damaged,
      original,
      replaced,
      setAside: directory.setAside,
    };
  } finally {
    directory.close();
  }
}

/** A name may hold slashes, a step may not. */
function splitStep(key: string): { readonly flow: string; readonly step: string } {
  const slash = key.lastIndexOf('/');
  return { flow: key.slice(0, Math.max(0, slash)), step: key.slice(slash + 1) };
}

function leaseOfFlow(key: string): string {
  return `flow ${splitStep(key).flow}`.trimEnd();
}

async function copyRows(
  found: FoundConversation,
  directory: RunDirectory,
): Promise<Pick<Adoption, 'rows' | 'added'>> {
  const { sessionId, local } = found;
  const main: SessionKey = { projectKey: directory.projectKey, sessionId };
  const streams: [SessionKey, readonly TranscriptEntry[]][] = [
    ...[...local.subagents].map(([subpath, rows]): [SessionKey, readonly TranscriptEntry[]] => [
      { ...main, subpath },
      rows,
    ]),
    [main, local.main],
  ];
  const counts = { rows: 0, added: 0 };
  for (const [key, rows] of streams) {
    const stored = (await directory.store.load(key)) ?? [];
    const missing = missingEntries(
      stored,
      rows.map((row) => inSession(row, sessionId)),
    );
    await directory.store.append(key, missing);
    counts.added += missing.length;
    counts.rows += stored.length + missing.length;
  }
  return counts;
}

function inSession(row: TranscriptEntry, sessionId: string): TranscriptEntry {
  return typeof row['sessionId'] === 'string' ? { ...row, sessionId } : row;
}

/** The step begins anew in this session: how far it got in another one says nothing any more. */
function giveToStep(key: string, sessionId: string, directory: RunDirectory): string | null {
  const { lineage, flush } = directory.lineage();
  const before = lineage.sessionOf(key);
  const { flow, step } = splitStep(key);
  const history = new FlowHistory({
    database: directory.database,
    flow,
    run: '',
    epoch: lineage.epoch,
  });
  directory.database.immediate(() => {
    if (before !== sessionId) history.forget(step);
    new SessionOwners(directory.database).claim(directory, sessionId);
    lineage.remember(key, sessionId);
  });
  flush();
  return before === undefined || before === sessionId ? null : before;
}

/** The copy is made once: later the file may be one that flower wrote. */
function keepOriginal({ place, local, sessionId }: FoundConversation, runDir: string): string {
  const folder = join(runDir, 'adopted');
  const target = { file: join(folder, `${sessionId}.jsonl`) };
  if (existsSync(target.file)) return target.file;
  const pairs = [...local.subagents.keys()].flatMap((subpath) => [
    [subagentTranscriptPath(place, subpath), subagentTranscriptPath(target, subpath)] as const,
    [subagentMetadataPath(place, subpath), subagentMetadataPath(target, subpath)] as const,
  ]);
  for (const [from, to] of pairs) copyPrivately(from, to);
  // Last: its presence says that the copy is whole.
  copyPrivately(mainTranscriptPath(place), mainTranscriptPath(target));
  return target.file;
}

/** Under its name the copy is whole, on disk, and its owner's alone. */
function copyPrivately(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const part = `${to}.${process.pid}.part`;
  copyFileSync(from, part);
  chmodSync(part, 0o600);
  syncFile(part);
  renameSync(part, to);
  syncDirectory(dirname(to));
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
