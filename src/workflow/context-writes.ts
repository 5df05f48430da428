import { processKeys } from './context.ts';
import { isStorable } from './storable.ts';

/** What a step wrote to ctx. */
export interface ContextWrites {
  readonly values: Record<string, unknown>;
  /** Keys whose values JSON cannot hold. */
  readonly unstorable: readonly string[];
}

/** ctx as it stood at one moment: values, and the text of those that can be changed in place. */
export type ContextSnapshot = ReadonlyMap<
  string,
  { readonly value: unknown; readonly text: string }
>;

/** Notes how ctx stands, to tell later what was written. */
export function snapshotContext(ctx: Readonly<Record<string, unknown>>): ContextSnapshot {
  return new Map(
    ownEntries(ctx).map(([key, value]) => [key, { value, text: textOf(value) }] as const),
  );
}

/** Keys that are new or hold something else than in `before`, changes inside a value included. */
export function contextWrites(
  ctx: Readonly<Record<string, unknown>>,
  before: ContextSnapshot,
): ContextWrites {
  const values: Record<string, unknown> = {};
  const unstorable: string[] = [];
  for (const [key, value] of ownEntries(ctx)) {
    const known = before.get(key);
    if (known !== undefined && known.value === value && known.text === textOf(value)) continue;
    if (isStorable(value)) values[key] = value;
    else unstorable.push(key);
  }
  return { values, unstorable };
}

function ownEntries(ctx: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(ctx).filter(([key]) => !processKeys.has(key));
}

/** Only objects can change while staying the same value. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !isStorable(value)) return '';
  return JSON.stringify(value);
}
