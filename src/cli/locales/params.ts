import type { EventParams } from './catalogue.ts';

/** A named value of an event as text; empty when the event does not carry it. */
export function param(params: EventParams, name: string): string {
  const value = params[name];
  return value === undefined ? '' : String(value);
}

/** The values in brackets with a space before, for texts that name no value of their own. */
export function bracketed(params: EventParams): string {
  const values = Object.entries(params).map(([name, value]) => `${name}: ${value}`);
  return values.length === 0 ? '' : ` (${values.join(', ')})`;
}
