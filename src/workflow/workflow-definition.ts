import type { EventConsumer } from '../events/event.ts';
import type { StepResult } from '../runtime/step-result.ts';
import type { Step } from './step.ts';

/** How a workflow is run. */
export interface WorkflowRunOptions {
  /** Receives every event of the run, in order; a throw is an alarm and breaks nothing. */
  readonly onEvent?: EventConsumer;
  /** Called after each step that ran, whatever its outcome; a throw is an alarm too. */
  readonly onStep?: (step: Step, result: StepResult) => void;
  /** Begin at this step: it and all behind it run; values of earlier ones are read back. */
  readonly from?: string;
  /** Run this step alone; values of earlier ones are read back. */
  readonly only?: string;
  /** Steps that open a new session. */
  readonly fresh?: readonly string[];
  /** Close the earlier history and start over. @defaultValue `false` */
  readonly new?: boolean;
  /** Take over the history of a workspace that was moved here. @defaultValue `false` */
  readonly moved?: boolean;
  /** Stops the run; what is done is kept, the next run goes on. */
  readonly signal?: AbortSignal;
}

/** What is run. */
export interface WorkflowDefinition {
  readonly name: string | undefined;
  readonly steps: readonly Step[];
  readonly context: Record<string, unknown>;
  readonly continuous: boolean;
}
