import type { FlowerEvent } from '../../events/event.ts';
import { sanitize } from './sanitize.ts';

/**
 * A copy of an event whose every text is safe for a terminal.
 *
 * The one border between what models, tools and files say and the views for people. The `input` of
 * a tool call is dropped: views show its summary.
 */
export function safeEvent(event: FlowerEvent): FlowerEvent {
  const shown = event.type === 'tool-call' ? { ...event, input: undefined } : event;
  return safeValue(shown);
}

function safeValue<Value>(value: Value): Value;
function safeValue(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (Array.isArray(value)) return value.map((item: unknown) => safeValue(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, safeValue<unknown>(item)]),
  );
}
