import type { Catalogue } from '../locales/catalogue.ts';
import type { Activity, Progress } from './progress.ts';
import { truncate } from './truncate.ts';
import { displayWidth } from './width.ts';

const gap = ' | ';
const shortestActivity = 8;

/**
 * The live line: step i of n, what the agent does and for how long, context, cost, elapsed.
 *
 * At most `columns - 1` columns, so that it never wraps. When room is short the activity is cut,
 * then left out; then the name of the step is cut.
 */
export function statusLine(
  progress: Progress,
  texts: Catalogue,
  columns: number,
  nowMs: number,
): string {
  const room = Math.max(10, columns - 1) - 1;
  const right = figures(progress, texts, nowMs, room);
  const left = place(progress);
  const middleRoom = room - displayWidth(left) - displayWidth(right) - 2 * gap.length;
  if (middleRoom >= shortestActivity) {
    const middle = activityText(progress, texts, nowMs, middleRoom);
    return ` ${[left, middle, right].filter((part) => part !== '').join(gap)}`;
  }
  const leftRoom = room - displayWidth(right) - gap.length;
  return leftRoom > 0 ? ` ${truncate(left, leftRoom)}${gap}${right}` : ` ${truncate(right, room)}`;
}

function place(progress: Progress): string {
  const number = progress.index > 0 ? `${progress.index}/${progress.total} ` : '';
  return `${number}${progress.step}`.replace(/\s+/g, ' ').trim();
}

/** Context, cost and elapsed; the context goes first when there is no room. */
function figures(progress: Progress, texts: Catalogue, nowMs: number, room: number): string {
  const { formats } = texts;
  const elapsed = formats.duration(wholeSeconds(nowMs - (progress.startedAtMs ?? nowMs)));
  const cost = formats.money(progress.costUsd);
  const context = formats.tokens(progress.context);
  const all = [context, cost, elapsed].join(gap);
  return displayWidth(all) <= room ? all : [cost, elapsed].join(gap);
}

/** The duration stays whole; the text before it is cut. */
function activityText(progress: Progress, texts: Catalogue, nowMs: number, room: number): string {
  const sinceMs = wholeSeconds(nowMs - progress.activitySinceMs);
  const duration = ` ${texts.formats.duration(sinceMs)}`;
  return truncate(describe(progress.activity, texts), room - displayWidth(duration)) + duration;
}

function describe(activity: Activity, texts: Catalogue): string {
  const { doing } = texts.view;
  if (activity.kind === 'tool') return activity.text;
  if (activity.kind !== 'waiting') return doing[activity.kind];
  const until = activity.until === undefined ? undefined : texts.formats.time(activity.until);
  return doing.waiting(activity.reason, until);
}

/** Tenths would make the line change at every redraw. */
function wholeSeconds(ms: number): number {
  return Math.floor(Math.max(0, ms) / 1000) * 1000;
}
