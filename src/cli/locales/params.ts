import type { EventParams } from './catalogue.ts';

/** The values in brackets with a space before, for texts that name no value of their own. */
export function bracketed(params: EventParams): string {
  const values = Object.entries(params).map(([name, value]) => `${name}: ${value}`);
  return values.length === 0 ? '' : ` (${values.join(', ')})`;
}
