import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FlowerError } from '../../errors/flower-error.ts';
import {
  checkSession,
  checkTranscriptFile,
  type TranscriptCheck,
} from '../../runtime/history/check-transcript.ts';
import { activeChain } from '../../transcript/active-chain.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import { jsonLine } from '../terminal/json-view.ts';
import type { RecordLine } from '../terminal/record-line.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { commandEnvironment, commandPlace, printLines } from './command-place.ts';
import { pageLines } from './page.ts';
import { renderedLines } from './show-log.ts';
import { transcriptRecord } from './transcript-record.ts';

/** So many rows are listed for each reason. */
const listedRows = 20;

/**
 * Body of `flower transcript check`: what a resume would feed the model, what was repaired or left
 * out and why. Looks only.
 *
 * @returns 0 when it is safe to resume, else 1.
 */
export async function showCheck(context: CommandContext, subject: string): Promise<number> {
  const check = checkOf(context, subject);
  const exitCode = check.safe ? exitCodes.done : exitCodes.failed;
  if (context.globals.json === true) {
    const { entries, dropped, repaired, safe } = check;
    printLines(context, [jsonLine({ entries, dropped, repaired, safe })]);
    return exitCode;
  }
  await pageLines(context, () => renderedLines(context, checkRecord(check, context.texts)));
  return exitCode;
}

/** A name that is no file is a session or a step. */
function checkOf(context: CommandContext, subject: string): TranscriptCheck {
  const path = resolve(context.host.directory, subject);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !subject.endsWith('.jsonl')) {
    const env = commandEnvironment(context);
    return checkSession({ ...commandPlace(context), name: subject, env });
  }
  try {
    return checkTranscriptFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = context.texts.usage.unreadableFile(path, reason);
    throw new FlowerError('usage', { detail }, { cause: error });
  }
}

function* checkRecord(check: TranscriptCheck, texts: Catalogue): Generator<RecordLine> {
  const { transcript } = texts.history;
  const { rows } = activeChain(check.entries);
  yield* transcriptRecord(rows, { texts, all: false, subagents: new Map() });
  yield plain('plain', '');
  yield* reasons(
    transcript.droppedTitle,
    grouped(check.dropped, ({ why }) => transcript.dropped[why]),
    texts,
  );
  yield* reasons(
    transcript.repairedTitle,
    grouped(check.repaired, ({ what }) => transcript.repaired[what]),
    texts,
  );
  const { entries, dropped, repaired, safe } = check;
  yield plain('plain', transcript.counts(entries.length, dropped.length, repaired.length));
  yield plain(safe ? 'good' : 'bad', safe ? transcript.safe : transcript.unsafe);
}

function* reasons(
  title: string,
  groups: ReadonlyMap<string, readonly string[]>,
  texts: Catalogue,
): Generator<RecordLine> {
  for (const [reason, uuids] of groups) {
    yield plain('warning', `${title}: ${reason} (${texts.formats.count(uuids.length)})`);
    const named = uuids.filter((uuid) => uuid !== '');
    for (const uuid of named.slice(0, listedRows)) {
      yield { style: 'dim', mark: '  ', text: sanitizeLine(uuid), single: true };
    }
    const rest = named.length - listedRows;
    if (rest > 0) yield { style: 'dim', mark: '  ', text: texts.history.transcript.rest(rest) };
  }
}

/** Ids of the rows by reason; metadata rows have none. */
function grouped<Row extends { readonly uuid: string | null }>(
  rows: readonly Row[],
  reasonOf: (row: Row) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    const reason = reasonOf(row);
    groups.set(reason, [...(groups.get(reason) ?? []), row.uuid ?? '']);
  }
  return groups;
}

function plain(style: RecordLine['style'], text: string): RecordLine {
  return { style, mark: '', text };
}
