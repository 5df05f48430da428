import { resultText, toolSummary } from '../../claude/tool-text.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import {
  blocksOf,
  isBoundary,
  type JsonObject,
  messageOf,
  stringOf,
} from '../../transcript/row.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import type { LineStyle, RecordLine } from '../terminal/record-line.ts';
import { sanitize, sanitizeLine } from '../terminal/sanitize.ts';

/** How {@link transcriptRecord} shows a conversation. */
export interface TranscriptView {
  readonly texts: Catalogue;
  /** Show results and notes whole. */
  readonly all: boolean;
  /** Rows of each subagent by subpath. */
  readonly subagents: ReadonlyMap<string, readonly TranscriptEntry[]>;
}

const shownLines = 6;
const subagentMark = '  | ';

/**
 * A conversation for people, entry by entry, safe for a terminal: who speaks since when, calls with
 * one argument, results cut to some lines, each subagent indented behind the call that sent it.
 */
export function* transcriptRecord(
  rows: readonly TranscriptEntry[],
  view: TranscriptView,
): Generator<RecordLine, void, undefined> {
  const open = new Map(view.subagents);
  yield* stream(rows, view, open);
  // Subagents whose call is not among the rows.
  for (const subpath of [...open.keys()]) yield* subagent(subpath, view, open);
}

type OpenSubagents = Map<string, readonly TranscriptEntry[]>;

function* stream(
  rows: readonly TranscriptEntry[],
  view: TranscriptView,
  open: OpenSubagents,
): Generator<RecordLine, void, undefined> {
  let speaker = '';
  for (const row of rows) {
    const lines = [...rowLines(row, view)];
    if (lines.length === 0) continue;
    const now = speakerOf(row);
    if (now !== speaker) yield heading(now, row, view.texts);
    speaker = now;
    for (const { line, callId } of lines) {
      yield line;
      const sent = callId === undefined ? undefined : subagentOf(callId, open);
      if (sent === undefined) continue;
      yield* subagent(sent, view, open);
      speaker = '';
    }
  }
}

function* subagent(
  subpath: string,
  view: TranscriptView,
  open: OpenSubagents,
): Generator<RecordLine, void, undefined> {
  const rows = open.get(subpath) ?? [];
  open.delete(subpath);
  const metadata = rows.find((row) => row.type === 'agent_metadata');
  const name = sanitizeLine(stringOf(metadata?.['agentType']) ?? subpath);
  const title = `${view.texts.history.transcript.subagent} ${name}`;
  for (const line of [
    { style: 'dim', mark: '-- ', text: title, single: true } as const,
    ...stream(rows, view, open),
  ]) {
    yield { ...line, mark: subagentMark + line.mark };
  }
}

function subagentOf(callId: string, open: OpenSubagents): string | undefined {
  return [...open].find(([, rows]) =>
    rows.some((row) => row.type === 'agent_metadata' && row['toolUseId'] === callId),
  )?.[0];
}

type Speaker = 'user' | 'assistant' | 'note';

function speakerOf(row: TranscriptEntry): Speaker {
  if (row.type === 'assistant') return 'assistant';
  const isResult = blocksOf(row).some((block) => block['type'] === 'tool_result');
  // A result belongs to the turn of the one who called.
  if (row.type === 'user') return isResult ? 'assistant' : row['isMeta'] === true ? 'note' : 'user';
  return 'note';
}

function heading(speaker: Speaker, row: TranscriptEntry, texts: Catalogue): RecordLine {
  const { timestamp } = row;
  const time = typeof timestamp === 'string' ? texts.formats.dateTime(timestamp) : '';
  const text = [texts.history.transcript.roles[speaker], sanitizeLine(time)]
    .filter((part) => part !== '')
    .join(' · ');
  return { style: 'strong', mark: '-- ', text, single: true };
}

interface RowLine {
  readonly line: RecordLine;
  /** Set for a call. */
  readonly callId?: string;
}

function* rowLines(row: TranscriptEntry, view: TranscriptView): Generator<RowLine> {
  if (isBoundary(row)) {
    yield { line: { style: 'dim', mark: '- ', text: view.texts.history.transcript.compacted } };
  }
  const message = messageOf(row);
  if (message === undefined) return;
  const isNote = row['isMeta'] === true || row['isCompactSummary'] === true;
  const style = row['isApiErrorMessage'] === true ? 'bad' : isNote ? 'dim' : 'plain';
  if (typeof message['content'] === 'string') {
    yield* textLine(style, '', message['content'], isNote, view);
  }
  for (const block of blocksOf(row)) yield* blockLines(block, style, isNote, view);
}

function* blockLines(
  block: JsonObject,
  style: LineStyle,
  isNote: boolean,
  view: TranscriptView,
): Generator<RowLine> {
  switch (block['type']) {
    case 'text':
      yield* textLine(style, '', stringOf(block['text']) ?? '', isNote, view);
      break;
    case 'thinking':
      yield* textLine('dim', '~ ', stringOf(block['thinking']) ?? '', true, view);
      break;
    case 'tool_use': {
      const summary = `${String(block['name'])} ${toolSummary(block['input'])}`;
      const line = {
        style: 'tool',
        mark: '> ',
        text: sanitizeLine(summary),
        single: true,
      } as const;
      yield typeof block['id'] === 'string' ? { line, callId: block['id'] } : { line };
      break;
    }
    case 'tool_result': {
      const isFailed = block['is_error'] === true;
      const text = resultText(block['content']);
      yield* textLine(isFailed ? 'bad' : 'dim', isFailed ? 'x ' : '  ', text, true, view);
      break;
    }
    default:
      yield {
        line: { style: 'dim', mark: '  ', text: sanitizeLine(`[${String(block['type'])}]`) },
      };
  }
}

function* textLine(
  style: LineStyle,
  mark: string,
  text: string,
  isCut: boolean,
  { texts, all }: TranscriptView,
): Generator<RowLine> {
  const lines = sanitize(text).trim().split('\n');
  if (lines.length === 1 && lines[0] === '') return;
  const kept = isCut && !all ? lines.slice(0, shownLines) : lines;
  const rest = lines.length - kept.length;
  const shown = [...kept, ...(rest > 0 ? [texts.history.transcript.more(rest)] : [])];
  yield { line: { style, mark, text: shown.join('\n') } };
}
