import type { Lineage } from '../continuity/lineage.ts';
import type { EventConsumer } from '../events/event.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { StepResult } from '../runtime/step-result.ts';

/** Keys that `Workflow.run` itself keeps in ctx. */
export interface ContextKeys {
  /** For gates that send an agent of their own. */
  _runtime: Runtime;
  /** So that what such an agent does is seen. */
  _onEvent: EventConsumer | undefined;
  /** Session by step name. */
  _sessions: Record<string, string>;
  /** Full result by step name, passed or not. */
  _results: Record<string, StepResult>;
  /** Absent with `continuous: false`. */
  _lineage: Lineage | undefined;
  /** Which waking of this directory this is; the first run is 1. */
  _woke: number;
  /** Reason of a `StepAbort`, or of a stop by the person. */
  _aborted?: string;
  /** The step at which the run failed; absent when it is finished. */
  _failedAt?: string;
}

/** ctx as steps see it: their own values beside the keys of the run. */
export type StepContext<Values extends object = Record<string, unknown>> = Values & ContextKeys;

/** ctx of any workflow, for code that knows no step names. */
export type AnyContext = Record<string, unknown> & ContextKeys;

/** Keys that belong to one process and are never stored. */
export const processKeys: ReadonlySet<string> = new Set([
  '_runtime',
  '_onEvent',
  '_sessions',
  '_results',
  '_lineage',
  '_woke',
  '_aborted',
  '_failedAt',
]);
