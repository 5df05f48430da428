import { processKeys } from './context.ts';
import { isStorable } from './storable.ts';

/** What a step wrote to ctx. */
export interface ContextWrites {
  readonly values: Record<string, unknown>;
  /** Keys whose values JSON cannot hold. */
  readonly unstorable: readonly string[];
}

/** ctx as it stood at one moment. Opaque; {@link contextWrites} brings it up to date. */
export type ContextSnapshot = Map<string, unknown>;

/** A value that can be changed in place, and what was in it. */
class Changeable {
  readonly value: object;
  readonly text: string;

  constructor(value: object) {
    this.value = value;
    this.text = textOf(value);
  }
}

/** Notes how ctx stands, to tell later what was written. */
export function snapshotContext(ctx: Readonly<Record<string, unknown>>): ContextSnapshot {
  const snapshot: ContextSnapshot = new Map();
  for (const key of Object.keys(ctx)) noteContext(snapshot, key, ctx[key]);
  return snapshot;
}

/** Notes a value that is known to be stored. */
export function noteContext(snapshot: ContextSnapshot, key: string, value: unknown): void {
  if (processKeys.has(key)) return;
  snapshot.set(key, isChangeable(value) ? new Changeable(value) : value);
}

/**
 * Keys that are new or hold something else than in `before`, changes inside a value included.
 * Afterwards `before` knows them: the next call tells what was written since this one, and no step
 * of a long workflow notes the values of all earlier ones again.
 */
export function contextWrites(
  ctx: Readonly<Record<string, unknown>>,
  before: ContextSnapshot,
): ContextWrites {
  const values: Record<string, unknown> = {};
  const unstorable: string[] = [];
  for (const key of Object.keys(ctx)) {
    const value = ctx[key];
    if (processKeys.has(key) || isKnown(before, key, value)) continue;
    noteContext(before, key, value);
    if (isStorable(value)) values[key] = value;
    else unstorable.push(key);
  }
  return { values, unstorable };
}

function isKnown(before: ContextSnapshot, key: string, value: unknown): boolean {
  const known = before.get(key);
  if (known instanceof Changeable) return known.value === value && known.text === textOf(value);
  return known === value && (value !== undefined || before.has(key));
}

function isChangeable(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function textOf(value: object): string {
  return isStorable(value) ? JSON.stringify(value) : '';
}
