import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PlainConversation } from '../../claude/plain-conversations.ts';
import { isSessionId } from '../../continuity/lineage-file.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { realDirectory } from '../../files/real-directory.ts';
import { type Adoption, adopt } from '../../runtime/adopt.ts';
import { adoptCandidates, type CandidateOptions } from '../../runtime/adopt-candidates.ts';
import type { AdoptSource } from '../../runtime/adopt-source.ts';
import type { CommandContext } from '../command-context.ts';
import type { AdoptCommandOptions } from '../commands/adopt.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import { jsonLine } from '../terminal/json-view.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { tableLines } from '../terminal/table.ts';
import { truncate } from '../terminal/truncate.ts';
import { commandEnvironment, commandPlace, printLines } from './command-place.ts';

const promptColumns = 60;

/**
 * Body of `flower adopt`: takes over a conversation of plain Claude Code. Without an argument the
 * only conversation is meant; of several, the choice is listed and nothing is done.
 */
export async function adoptConversation(
  context: CommandContext,
  conversation: string | undefined,
  options: AdoptCommandOptions,
): Promise<number> {
  const { texts, globals } = context;
  if (conversation !== undefined && options.last === true) {
    throw new FlowerError('usage', { detail: texts.usage.conflict('--last', '<conversation>') });
  }
  const step = options.step ?? 'work';
  const wanted = { ...commandPlace(context), step, env: commandEnvironment(context) };
  const source =
    conversation === undefined
      ? candidateSource(context, wanted, options.last === true)
      : namedSource(context, conversation);
  if (source === undefined) return exitCodes.usage;
  const adoption = await adopt({ ...wanted, source });
  const lines =
    globals.json === true ? [jsonLine(adoption)] : adoptionLines(adoption, texts).map(sanitizeLine);
  printLines(context, lines);
  if (adoption.setAside !== null) {
    const alarm = texts.alarms['database-set-aside']({ path: sanitizeLine(adoption.setAside) });
    context.host.stderr.write(`${texts.view.alarm} ${alarm}\n`);
  }
  return exitCodes.done;
}

function namedSource({ host }: CommandContext, conversation: string): AdoptSource {
  const file = resolve(host.directory, conversation);
  return isSessionId(conversation) && !existsSync(file) ? { sessionId: conversation } : { file };
}

/** The newest, or the only one; `undefined` when the person has to choose. */
function candidateSource(
  context: CommandContext,
  wanted: CandidateOptions,
  isLast: boolean,
): AdoptSource | undefined {
  const { host, texts } = context;
  const found = adoptCandidates(wanted);
  const [first] = found;
  if (first === undefined) {
    const workspace = realDirectory(wanted.workspace);
    throw new FlowerError('usage', { detail: texts.history.adopt.none(workspace) });
  }
  if (isLast || found.length === 1) return { sessionId: first.sessionId };
  printLines(context, candidateLines(context, found));
  host.stderr.write(`${texts.history.adopt.choose(found.length)}\n`);
  return undefined;
}

function candidateLines(
  { texts, globals }: CommandContext,
  found: readonly PlainConversation[],
): string[] {
  if (globals.json === true) return found.map(jsonLine);
  const { columns } = texts.history.adopt;
  const rows = found.map(({ sessionId, modifiedMs, firstPrompt }) => [
    sanitizeLine(sessionId),
    texts.formats.dateTime(new Date(modifiedMs).toISOString()),
    truncate(sanitizeLine(firstPrompt), promptColumns),
  ]);
  return tableLines([[columns.session, columns.last, columns.prompt], ...rows]);
}

function adoptionLines(adoption: Adoption, texts: Catalogue): string[] {
  const { adopt: say } = texts.history;
  const { step, sessionId, rows, added, subagents, damaged, original, replaced } = adoption;
  const slash = step.lastIndexOf('/');
  return [
    say.done(step, sessionId),
    say.rows(rows, added, subagents),
    ...(damaged === 0 ? [] : [say.damaged(damaged)]),
    say.original(original),
    ...(replaced === null ? [] : [say.replaced(replaced)]),
    say.next(step.slice(0, Math.max(0, slash)), step.slice(slash + 1)),
  ];
}
