import picocolors from 'picocolors';
import { readConversation } from '../../runtime/history/read-conversation.ts';
import { readLog } from '../../runtime/history/read-log.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonLine } from '../terminal/json-view.ts';
import { type RecordLine, renderRecordLine } from '../terminal/record-line.ts';
import { terminalFeatures, textColumns } from '../terminal/terminal-features.ts';
import { commandEnvironment, commandPlace, printLines } from './command-place.ts';
import { logLines } from './log-lines.ts';
import { pageLines } from './page.ts';
import { transcriptRecord } from './transcript-record.ts';

const widestColumns = 200;
const narrowestColumns = 40;

/** Body of `flower log`: the history of the directory. Looks only. */
export async function showLog(context: CommandContext): Promise<number> {
  const { host, texts, globals } = context;
  const log = await readLog(commandPlace(context));
  if (globals.json === true) {
    printLines(context, [jsonLine(log)]);
    return exitCodes.done;
  }
  const { isTTY, columns = 80 } = host.stdout;
  const room = Math.min(widestColumns, Math.max(narrowestColumns, columns));
  printLines(context, logLines(log, texts, isTTY === true ? room : Number.POSITIVE_INFINITY));
  return exitCodes.done;
}

/** Body of `flower log <step or session>`: the transcript, subagents included. Looks only. */
export async function showTranscript(
  context: CommandContext,
  name: string,
  options: { readonly all?: boolean },
): Promise<number> {
  const { texts, globals } = context;
  const env = commandEnvironment(context);
  const { sessionId, main, subagents } = readConversation({ ...commandPlace(context), name, env });
  if (globals.json === true) {
    const streams = Object.fromEntries(subagents);
    printLines(context, [jsonLine({ sessionId, entries: main, subagents: streams })]);
    return exitCodes.done;
  }
  const view = { texts, subagents, all: options.all === true };
  await pageLines(context, () => renderedLines(context, transcriptRecord(main, view)));
  return exitCodes.done;
}

/** The lines of a record as standard output can show them. */
export function* renderedLines(
  { host }: CommandContext,
  record: Iterable<RecordLine>,
): Generator<string, void, undefined> {
  const { colours } = terminalFeatures(host.stdout, host.env);
  const colors = picocolors.createColors(colours);
  for (const line of record) yield* renderRecordLine(line, textColumns(host.stdout), colors);
}
