import type { FlowerEvent } from '../../events/event.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import type { RecordLine } from './record-line.ts';

/** What passes between the run and its people, and what is decided about the goal. */
export type PeopleEvent = Extract<
  FlowerEvent,
  {
    type:
      | 'question-ask'
      | 'question-close'
      | 'remark-queue'
      | 'remark-withdraw'
      | 'remark-deliver'
      | 'interrupt'
      | 'aside-start'
      | 'aside-end'
      | 'check-run'
      | 'verdict';
  }
>;

type EventOf<Type extends PeopleEvent['type']> = Extract<PeopleEvent, { type: Type }>;

/** The record of a question, a remark, a break, an aside or a verdict. */
export function peopleRecord(event: PeopleEvent, texts: Catalogue): readonly RecordLine[] {
  const { people } = texts;
  switch (event.type) {
    case 'question-ask':
      return question(event, texts);
    case 'question-close':
      return [line('dim', '? ', people.closed(event.id, event.outcome, event.answer))];
    case 'remark-queue':
      return [line('strong', '+ ', people.queued(event.id, event.text, event.amended))];
    case 'remark-withdraw':
      return [line('dim', '+ ', people.withdrawn(event.id))];
    case 'remark-deliver':
      return [line('dim', '+ ', people.delivered(event.id))];
    case 'interrupt':
      return [line('warning', '! ', people.interrupted(event.text))];
    case 'aside-start':
      return [line('dim', '? ', people.asideStarted(event.question))];
    case 'aside-end':
      return aside(event, texts);
    case 'check-run':
      return [checkRun(event, texts)];
    case 'verdict':
      return verdict(event, texts);
  }
}

function question(event: EventOf<'question-ask'>, texts: Catalogue): readonly RecordLine[] {
  const { people, formats } = texts;
  const remaining = event.remainingMs === null ? undefined : formats.duration(event.remainingMs);
  return [
    line('strong', '? ', `${event.id} ${event.question}`),
    ...event.options.map((option, index) => line('plain', `  ${index + 1}) `, option)),
    line('dim', '  ', people.howToAnswer(event.id, remaining)),
  ];
}

function aside(event: EventOf<'aside-end'>, texts: Catalogue): readonly RecordLine[] {
  const { people, formats } = texts;
  if (!event.ok) return [line('bad', '? ', people.asideFailed(event.answer))];
  return [
    line('plain', '? ', event.answer),
    line('dim', '  ', people.asideCost(formats.money(event.costUsd))),
  ];
}

function checkRun(event: EventOf<'check-run'>, texts: Catalogue): RecordLine {
  const { people, formats } = texts;
  const duration = formats.duration(event.durationMs);
  const outcome = people.checkOutcome(event.exitCode, event.timedOut, duration);
  const style = event.exitCode === 0 ? 'good' : 'warning';
  return { style, mark: '$ ', text: `${event.command}  ${outcome}`, single: true };
}

function verdict(event: EventOf<'verdict'>, texts: Catalogue): readonly RecordLine[] {
  const { people } = texts;
  const title = people.verdict(event.round, event.rounds, event.state);
  const reason = event.reason === '' ? '' : `: ${event.reason}`;
  const gaps = event.items.filter(({ met }) => !met);
  const lines = [
    line(event.state === 'achieved' ? 'good' : 'warning', '# ', `${title}${reason}`),
    ...gaps.map(({ item, evidence }) =>
      line('warning', '  x ', evidence === '' ? `${item} (${people.noEvidence})` : item),
    ),
  ];
  if (event.sameGaps) lines.push(line('alarm', '!! ', people.sameGaps));
  if (event.weakened.length > 0) {
    lines.push(line('alarm', '!! ', people.weakened(event.weakened.join(', '))));
  }
  return lines;
}

function line(style: RecordLine['style'], mark: string, text: string): RecordLine {
  return { style, mark, text };
}
