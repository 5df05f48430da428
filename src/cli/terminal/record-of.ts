import type { FlowerEvent } from '../../events/event.ts';
import type { Catalogue, EventParams } from '../locales/catalogue.ts';
import type { LineStyle, RecordLine } from './record-line.ts';
import { peopleRecord } from './people-record.ts';
import { wakeLines } from './wake-lines.ts';

/** How much a person wants to see. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

const failedResultLines = 3;
const verboseResultLines = 12;
const errorLines = 6;

/**
 * What an event adds to the record for people; often nothing.
 *
 * @param event - With texts that are safe for a terminal.
 */
export function recordOf(
  event: FlowerEvent,
  texts: Catalogue,
  verbosity: Verbosity,
): readonly RecordLine[] {
  if (verbosity === 'quiet') return quietRecord(event, texts);
  if ('subagent' in event && event.subagent !== undefined) {
    return subagentRecord(event, texts, verbosity);
  }
  return mainRecord(event, texts, verbosity);
}

function quietRecord(event: FlowerEvent, texts: Catalogue): readonly RecordLine[] {
  if (event.type === 'alarm') return [alarmLine(event, texts)];
  if (event.type === 'step-end' && !event.ok) return stepEnd(event, texts);
  if (event.type === 'run-end' && !event.ok) return runEnd(event, texts);
  return [];
}

/** Subagents are folded: only a refused call of theirs concerns the reader. */
function subagentRecord(
  event: FlowerEvent,
  texts: Catalogue,
  verbosity: Verbosity,
): readonly RecordLine[] {
  if (event.type === 'tool-result' && event.denied === true) return [deniedLine(event, texts)];
  if (verbosity !== 'verbose' || !('subagent' in event)) return [];
  const name = event.subagent?.type ?? event.subagent?.id ?? '';
  return mainRecord(event, texts, verbosity).map((line) => ({
    ...line,
    mark: `  [${name}] ${line.mark}`,
  }));
}

function mainRecord(
  event: FlowerEvent,
  texts: Catalogue,
  verbosity: Verbosity,
): readonly RecordLine[] {
  const { view, formats } = texts;
  switch (event.type) {
    case 'run-start':
      return runStart(event, texts);
    case 'run-end':
      return runEnd(event, texts);
    case 'step-start':
      return [stepSeparator(event, texts)];
    case 'step-skip':
      return [one('dim', '- ', `${place(event)} ${view.skipped[event.reason]}`)];
    case 'step-end':
      return stepEnd(event, texts);
    case 'attempt-retry': {
      const delay = formats.duration(event.delayMs);
      return [one('warning', '- ', view.retry(event.attempt, event.error, delay))];
    }
    case 'text':
      return prose('plain', '', event.text);
    case 'thinking':
      return prose('dim', '~ ', event.text);
    case 'prompt':
      return verbosity === 'verbose' ? prose('dim', '< ', `${view.prompt}: ${event.text}`) : [];
    case 'tool-call':
      return [one('tool', '> ', `${event.tool} ${event.summary}`)];
    case 'tool-result':
      return toolResult(event, texts, verbosity);
    case 'reset':
      return [compacted(event, texts)];
    case 'wait-start': {
      const until = event.until === undefined ? undefined : formats.time(event.until);
      return [one('warning', '- ', view.waiting(event.reason, waitTarget(event), until))];
    }
    case 'wait-end': {
      const waited = formats.duration(event.waitedMs);
      return [one('warning', '- ', view.waited(event.reason, waited, event.ok))];
    }
    case 'alarm':
      return [alarmLine(event, texts)];
    case 'notice':
      return [{ style: 'dim', mark: '. ', text: textOf(texts.notices, event) }];
    case 'attempt-start':
    case 'usage':
      return [];
    case 'question-ask':
    case 'question-close':
    case 'remark-queue':
    case 'remark-withdraw':
    case 'remark-deliver':
    case 'interrupt':
    case 'aside-start':
    case 'aside-end':
    case 'check-run':
    case 'verdict':
      return peopleRecord(event, texts);
    default:
      return unknownEvent(event);
  }
}

/** An event type of a newer flower has no line; a new type of ours is a type error here. */
function unknownEvent(_event: never): readonly RecordLine[] {
  return [];
}

type EventOf<Type extends FlowerEvent['type']> = Extract<FlowerEvent, { type: Type }>;

/** A limit without a name of its own has its reason as target. */
function waitTarget({ reason, target }: EventOf<'wait-start'>): string {
  return target === reason ? '' : target;
}

function one(style: LineStyle, mark: string, text: string): RecordLine {
  return { style, mark, text, single: true };
}

function prose(style: LineStyle, mark: string, text: string): readonly RecordLine[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [{ style, mark, text: trimmed }];
}

function place(event: { index: number; total: number; step: string }): string {
  return `${event.index}/${event.total} ${event.step}`;
}

function runStart(event: EventOf<'run-start'>, texts: Catalogue): readonly RecordLine[] {
  const { view } = texts;
  const parts = [event.flow, view.steps(event.steps.length), event.run];
  if (event.resumed) parts.push(view.continuing(event.woke));
  const where = view.place(event.workspace, event.runDir);
  return [
    { style: 'strong', mark: 'flower ', text: parts.filter((part) => part !== '').join(' · ') },
    { style: 'dim', mark: '  ', text: where },
    ...wakeLines(event, texts),
  ];
}

function stepSeparator(event: EventOf<'step-start'>, texts: Catalogue): RecordLine {
  const more = event.resumed ? ` == ${texts.view.continuing(event.woke)}` : '';
  return { style: 'separator', mark: '== ', text: `${place(event)}${more}` };
}

function stepEnd(event: EventOf<'step-end'>, texts: Catalogue): readonly RecordLine[] {
  const { view, formats } = texts;
  const name = event.step;
  if (!event.ok) {
    return [
      {
        style: 'bad',
        mark: 'x ',
        text: `${name} ${view.stepFailed(firstLines(event.error ?? '', errorLines))}`,
      },
    ];
  }
  const figures = view.stepDone(
    formats.money(event.costUsd),
    formats.duration(event.durationMs),
    formats.tokens(event.context),
  );
  return [{ style: 'good', mark: '= ', text: `${name} ${figures}` }];
}

function runEnd(event: EventOf<'run-end'>, texts: Catalogue): readonly RecordLine[] {
  const { view, formats } = texts;
  const cost = formats.money(event.costUsd);
  const duration = formats.duration(event.durationMs);
  const lines: RecordLine[] = event.ok
    ? [{ style: 'good', mark: '= ', text: view.runDone(cost, duration) }]
    : failedRun(event, texts, view.total(cost, duration));
  if (event.unpricedTokens > 0) {
    lines.push({
      style: 'dim',
      mark: '  ',
      text: view.unpriced(formats.tokens(event.unpricedTokens)),
    });
  }
  lines.push({ style: 'dim', mark: '  ', text: view.manifest(event.manifestPath) });
  return lines;
}

function failedRun(event: EventOf<'run-end'>, texts: Catalogue, total: string): RecordLine[] {
  const { view } = texts;
  const lines: RecordLine[] = [];
  if (event.failedAt !== undefined) {
    lines.push({ style: 'bad', mark: 'x ', text: view.runFailed(event.failedAt) });
  }
  if (event.aborted !== undefined && event.aborted !== '') {
    lines.push({ style: 'bad', mark: 'x ', text: view.runAborted(event.aborted) });
  }
  lines.push({ style: 'strong', mark: '  ', text: view.again });
  lines.push({ style: 'dim', mark: '  ', text: total });
  return lines;
}

function toolResult(
  event: EventOf<'tool-result'>,
  texts: Catalogue,
  verbosity: Verbosity,
): readonly RecordLine[] {
  if (event.denied === true) return [deniedLine(event, texts)];
  if (event.ok && verbosity !== 'verbose') return [];
  const limit = verbosity === 'verbose' ? verboseResultLines : failedResultLines;
  const shown = firstLines(event.text, limit);
  if (event.ok) return prose('dim', '  ', shown);
  return prose('bad', 'x ', `${texts.view.toolFailed(event.tool)}: ${shown}`);
}

function firstLines(text: string, limit: number): string {
  const lines = text.trim().split('\n');
  const kept = lines.slice(0, limit);
  return [...kept, ...(lines.length > limit ? ['...'] : [])].join('\n');
}

function deniedLine(event: EventOf<'tool-result'>, texts: Catalogue): RecordLine {
  return one('warning', '! ', texts.view.denied(event.step, event.tool, event.text));
}

function compacted(event: EventOf<'reset'>, texts: Catalogue): RecordLine {
  const tokens = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : texts.formats.tokens(value);
  const { view } = texts;
  const text = view.compacted(event.trigger, tokens(event.preTokens), tokens(event.postTokens));
  return { style: 'dim', mark: '- ', text };
}

function alarmLine(event: EventOf<'alarm'>, texts: Catalogue): RecordLine {
  const text = `${texts.view.alarm} ${textOf(texts.alarms, event)}`;
  return { style: 'alarm', mark: '!! ', text };
}

/** The text of a code; its name when the event is of a newer flower. */
function textOf<Code extends string>(
  map: Readonly<Partial<Record<Code, (params: EventParams) => string>>>,
  event: { readonly code: Code; readonly params: EventParams },
): string {
  return map[event.code]?.(event.params) ?? event.code;
}
