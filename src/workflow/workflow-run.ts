import { callSafely } from '../events/call-safely.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { StepResult } from '../runtime/step-result.ts';
import { type AnyContext, type ContextKeys, processKeys } from './context.ts';
import { continuedSessions } from './continued-sessions.ts';
import {
  type ContextSnapshot,
  contextWrites,
  noteContext,
  snapshotContext,
} from './context-writes.ts';
import { planStep } from './plan-step.ts';
import { runStep, saveEnd, type StepOutcome, type StepRun } from './run-step.ts';
import type { WorkflowDefinition, WorkflowRunOptions } from './workflow-definition.ts';
import type { Step } from './step.ts';
import type { StepWindow } from './step-window.ts';
import { WorkflowEvents } from './workflow-events.ts';

/** What a {@link WorkflowRun} works with. */
export interface WorkflowRunParts {
  readonly definition: WorkflowDefinition;
  readonly runtime: Runtime;
  readonly options: WorkflowRunOptions;
  /** Absent with `continuous: false`. */
  readonly flow: FlowSession | undefined;
  readonly window: StepWindow;
}

/** One pass over the steps of a workflow. */
export class WorkflowRun {
  readonly #parts: WorkflowRunParts;
  readonly #ctx: AnyContext;
  /** ctx as far as it is stored. */
  readonly #stored: ContextSnapshot;
  readonly #events: WorkflowEvents;
  readonly #opened = new Map<string, string>();

  constructor(parts: WorkflowRunParts) {
    this.#parts = parts;
    this.#ctx = prepareContext(parts);
    this.#stored = snapshotContext(this.#ctx);
    this.#events = new WorkflowEvents(parts.definition, parts.runtime);
  }

  /** Runs the steps; a failed one that stops the run is `ctx._failedAt`. */
  async run(): Promise<AnyContext> {
    const { definition, flow, options, window } = this.#parts;
    for (const name of options.fresh ?? []) flow?.startFresh(name);
    const steps = definition.steps.slice(window.first, window.end);
    const continues =
      flow === undefined ? [] : await continuedSessions(flow, { steps, isChosen: window.isChosen });
    this.#events.runStart(this.#ctx._woke, flow, continues);
    let isFinished = false;
    try {
      await this.#steps();
      isFinished = this.#ctx._failedAt === undefined;
      return this.#ctx;
    } finally {
      flow?.end(isFinished && this.#isWhole() ? 'finished' : 'unfinished');
      this.#events.runEnd(isFinished, this.#ctx);
    }
  }

  /** False when steps behind the chosen one still wait for the run that goes on. */
  #isWhole(): boolean {
    const { definition, flow, window } = this.#parts;
    if (flow === undefined || flow.previous === 'finished') return true;
    return definition.steps.slice(window.end).every(({ name }) => {
      const { phase } = flow.currentState(name) ?? {};
      return phase === 'passed' || phase === 'settled';
    });
  }

  async #steps(): Promise<void> {
    const { definition, window } = this.#parts;
    for (const step of definition.steps.slice(0, window.first)) this.#readBack(step);
    for (const step of definition.steps.slice(window.first, window.end)) {
      await this.#step(step);
      if (this.#ctx._failedAt !== undefined) return;
    }
  }

  async #step(step: Step): Promise<void> {
    const { flow, options, window } = this.#parts;
    const run: StepRun = {
      step,
      ctx: this.#ctx,
      flow,
      signal: options.signal,
      opened: this.#opened,
    };
    if (window.isChosen) flow?.forget(step.name);
    if (flow?.state(step.name) === undefined && !(await this.#isWanted(step))) {
      this.#events.stepSkip(step, 'when');
      return;
    }
    const plan = await planStep(run);
    if (plan.kind === 'done') {
      this.#restore(step, plan.state);
      this.#events.stepSkip(step, 'already-passed');
      return;
    }
    this.#events.stepStart(step, plan.resumed, this.#ctx._woke);
    const outcome = await runStep(run, plan.entry);
    this.#settle(run, outcome);
    this.#tellStep(step, outcome.result);
    this.#events.stepEnd(step, outcome);
  }

  async #isWanted(step: Step): Promise<boolean> {
    return step.options.when === undefined || (await step.options.when(this.#ctx));
  }

  /** Writes what the step's outcome means for ctx, and notes it on disk. */
  #settle(run: StepRun, outcome: StepOutcome): void {
    const { step } = run;
    const ctx: Record<string, unknown> = this.#ctx;
    const { onFail = 'stop' } = step.options;
    const isStopped = this.#parts.options.signal?.aborted === true;
    if (outcome.aborted !== undefined) this.#ctx._aborted = outcome.aborted;
    if (outcome.passed) {
      ctx[step.name] = this.#valueOf(step, outcome.result);
      this.#store(run, outcome, 'passed');
    } else if (onFail === 'stop' || isStopped) {
      this.#ctx._failedAt = step.name;
    } else {
      if (onFail === 'continue') ctx[step.name] = outcome.result.text;
      this.#store(run, outcome, 'settled');
    }
  }

  #valueOf(step: Step, result: StepResult): unknown {
    const { reduce, schema } = step.options;
    if (reduce === undefined) return schema === undefined ? result.text : result.output;
    const value = reduce(result, this.#ctx);
    if (value instanceof Promise) {
      value.catch(() => undefined);
      const detail = `reduce of step "${step.name}" returned a promise; it must return the value itself.`;
      throw this.#invalid(detail);
    }
    return value;
  }

  #store(run: StepRun, outcome: StepOutcome, phase: 'passed' | 'settled'): void {
    const { flow } = this.#parts;
    if (flow === undefined) return;
    const { values, unstorable } = contextWrites(this.#ctx, this.#stored);
    for (const key of unstorable) this.#events.valueNotStored(run.step, key);
    // A value that cannot come back makes the step run again at a wake.
    if (unstorable.length > 0) flow.forget(run.step.name);
    else saveEnd(run, phase, outcome.attempt, outcome.result, values);
  }

  /**
   * Values of a step that is not run: they must have been stored by an earlier run, unless the step
   * may be left out.
   */
  #readBack(step: Step): void {
    const { flow } = this.#parts;
    const state = flow?.lastState(step.name);
    if (state?.phase === 'passed' || state?.phase === 'settled') {
      this.#restore(step, state);
      flow?.save(step.name, state);
      this.#events.stepSkip(step, 'already-passed');
    } else if (state === undefined && step.options.when !== undefined) {
      this.#events.stepSkip(step, 'when');
    } else {
      const detail = `step "${step.name}" has no stored value to read back; run from it or from an earlier step.`;
      throw this.#invalid(detail);
    }
  }

  #restore(step: Step, state: NonNullable<ReturnType<FlowSession['lastState']>>): void {
    for (const [key, value] of Object.entries(state.writes ?? {})) {
      if (processKeys.has(key)) continue;
      Object.assign(this.#ctx, { [key]: value });
      noteContext(this.#stored, key, value);
    }
    if (state.result !== undefined) this.#ctx._results[step.name] = state.result as StepResult;
    if (state.sessionId !== null) {
      this.#ctx._sessions[step.name] = state.sessionId;
      this.#opened.set(step.name, state.sessionId);
    }
  }

  #tellStep(step: Step, result: StepResult): void {
    callSafely(
      () => this.#parts.options.onStep?.(step, result),
      (error) => this.#events.consumerFailed(error),
    );
  }

  #invalid(detail: string): FlowerError {
    const workflow = this.#parts.definition.name ?? 'workflow';
    return new FlowerError('workflow-invalid', { workflow, detail });
  }
}

/** ctx is the workflow's own object: what earlier runs of it wrote stays, their end does not. */
function prepareContext({ definition, runtime, options, flow }: WorkflowRunParts): AnyContext {
  const { context } = definition;
  const keys: ContextKeys = {
    _runtime: runtime,
    _onEvent: options.onEvent,
    _sessions: (context['_sessions'] as Record<string, string> | undefined) ?? {},
    _results: (context['_results'] as Record<string, StepResult> | undefined) ?? {},
    _lineage: flow?.lineage,
    _woke: flow?.woke ?? 1,
  };
  delete context['_failedAt'];
  delete context['_aborted'];
  return Object.assign(context, keys);
}
