import { FlowerError } from '../errors/flower-error.ts';
import type { EventConsumer } from '../events/event.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { StepResult } from '../runtime/step-result.ts';
import { type AnyContext, type ContextKeys, processKeys } from './context.ts';
import { contextWrites, snapshotContext } from './context-writes.ts';
import { planStep } from './plan-step.ts';
import { runStep, saveEnd, type StepOutcome, type StepRun } from './run-step.ts';
import type { Step } from './step.ts';

/** How a workflow is run. */
export interface WorkflowRunOptions {
  /** Receives every event of the run, in order; a throw is an alarm and breaks nothing. */
  readonly onEvent?: EventConsumer;
  /** Called after each step that ran, whatever its outcome; a throw is an alarm too. */
  readonly onStep?: (step: Step, result: StepResult) => void;
  /** Begin at this step; values of earlier ones are read back. */
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

/** Runs a workflow in one runtime; see `Workflow.run`. */
export async function runWorkflow(
  definition: WorkflowDefinition,
  runtime: Runtime,
  options: WorkflowRunOptions,
): Promise<AnyContext> {
  const window = stepWindow(definition, options);
  const unsubscribe =
    options.onEvent === undefined ? undefined : runtime.subscribe(options.onEvent);
  try {
    const flow = definition.continuous
      ? await runtime.openFlow({
          flow: definition.name,
          startOver: options.new ?? false,
          moved: options.moved ?? false,
        })
      : undefined;
    return await new WorkflowRun(definition, runtime, options, flow, window).run();
  } finally {
    unsubscribe?.();
  }
}

interface StepWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

function stepWindow(definition: WorkflowDefinition, options: WorkflowRunOptions): StepWindow {
  const { from, only, fresh = [] } = options;
  for (const name of fresh) indexOfStep(definition, name);
  if (only !== undefined) {
    const first = indexOfStep(definition, only);
    return { first, end: first + 1 };
  }
  const first = from === undefined ? 0 : indexOfStep(definition, from);
  return { first, end: definition.steps.length };
}

function indexOfStep({ name: flow, steps }: WorkflowDefinition, name: string): number {
  const index = steps.findIndex((step) => step.name === name);
  if (index >= 0) return index;
  const known = steps.map((step) => step.name).join(', ');
  throw new FlowerError('workflow-invalid', {
    workflow: flow ?? 'workflow',
    detail: `there is no step "${name}"; its steps are ${known}.`,
  });
}

class WorkflowRun {
  readonly #definition: WorkflowDefinition;
  readonly #runtime: Runtime;
  readonly #options: WorkflowRunOptions;
  readonly #flow: FlowSession | undefined;
  readonly #window: StepWindow;
  readonly #ctx: AnyContext;
  readonly #opened = new Map<string, string>();
  readonly #startedMs = performance.now();

  constructor(
    definition: WorkflowDefinition,
    runtime: Runtime,
    options: WorkflowRunOptions,
    flow: FlowSession | undefined,
    window: StepWindow,
  ) {
    this.#definition = definition;
    this.#runtime = runtime;
    this.#options = options;
    this.#flow = flow;
    this.#window = window;
    this.#ctx = this.#prepareContext();
  }

  async run(): Promise<AnyContext> {
    for (const name of this.#options.fresh ?? []) this.#flow?.startFresh(name);
    this.#emitStart();
    let isFinished = false;
    try {
      await this.#steps();
      isFinished = this.#ctx._failedAt === undefined;
      return this.#ctx;
    } finally {
      this.#flow?.end(isFinished ? 'finished' : 'unfinished');
      this.#emitEnd(isFinished);
    }
  }

  async #steps(): Promise<void> {
    const { steps } = this.#definition;
    for (const [index, step] of steps.entries()) {
      if (index >= this.#window.end) return;
      if (index < this.#window.first) {
        this.#readBack(step, index);
        continue;
      }
      await this.#step(step, index);
      if (this.#ctx._failedAt !== undefined) return;
    }
  }

  async #step(step: Step, index: number): Promise<void> {
    const run: StepRun = {
      step,
      ctx: this.#ctx,
      flow: this.#flow,
      signal: this.#options.signal,
      opened: this.#opened,
    };
    const before = snapshotContext(this.#ctx);
    const isForced = index === this.#window.first && this.#isNarrowed();
    if (isForced) this.#flow?.forget(step.name);
    const state = this.#flow?.state(step.name);
    if (state === undefined && !(await this.#isWanted(step))) {
      this.#emitSkip(step, index, 'when');
      return;
    }
    const plan = await planStep(run);
    if (plan.kind === 'done') {
      this.#restore(step, plan.state);
      this.#emitSkip(step, index, 'already-passed');
      return;
    }
    this.#emitStepStart(step, index, plan.resumed);
    const outcome = await runStep(run, plan.entry);
    this.#settle(run, outcome, before);
    this.#tellStep(step, outcome.result);
    this.#emitStepEnd(step, outcome);
  }

  #isNarrowed(): boolean {
    return this.#options.from !== undefined || this.#options.only !== undefined;
  }

  async #isWanted(step: Step): Promise<boolean> {
    return step.options.when === undefined || (await step.options.when(this.#ctx));
  }

  /** Writes what the step's outcome means for ctx, and notes it on disk. */
  #settle(run: StepRun, outcome: StepOutcome, before: ReturnType<typeof snapshotContext>): void {
    const { step } = run;
    const ctx: Record<string, unknown> = this.#ctx;
    const { onFail = 'stop' } = step.options;
    const isStopped = this.#options.signal?.aborted === true;
    if (outcome.aborted !== undefined) this.#ctx._aborted = outcome.aborted;
    if (outcome.passed) {
      ctx[step.name] = this.#valueOf(step, outcome.result);
      this.#store(run, outcome, 'passed', before);
    } else if (onFail === 'stop' || isStopped) {
      this.#ctx._failedAt = step.name;
    } else {
      if (onFail === 'continue') ctx[step.name] = outcome.result.text;
      this.#store(run, outcome, 'settled', before);
    }
  }

  #valueOf(step: Step, result: StepResult): unknown {
    const { reduce, schema } = step.options;
    if (reduce === undefined) return schema === undefined ? result.text : result.output;
    const value = reduce(result, this.#ctx);
    if (value instanceof Promise) {
      value.catch(() => undefined);
      throw new FlowerError('workflow-invalid', {
        workflow: this.#definition.name ?? 'workflow',
        detail: `reduce of step "${step.name}" returned a promise; it must return the value itself.`,
      });
    }
    return value;
  }

  #store(
    run: StepRun,
    outcome: StepOutcome,
    phase: 'passed' | 'settled',
    before: ReturnType<typeof snapshotContext>,
  ): void {
    if (this.#flow === undefined) return;
    const { values, unstorable } = contextWrites(this.#ctx, before);
    for (const key of unstorable) {
      const params = { step: run.step.name, key };
      this.#runtime.bus.emit({ type: 'notice', code: 'value-not-stored', params });
    }
    // A value that cannot come back makes the step run again at a wake.
    if (unstorable.length > 0) this.#flow.forget(run.step.name);
    else saveEnd(run, phase, outcome.attempt, outcome.result, values);
  }

  /** Values of a step that is not run: they must have been stored by an earlier run. */
  #readBack(step: Step, index: number): void {
    const state = this.#flow?.lastState(step.name);
    if (state?.phase !== 'passed' && state?.phase !== 'settled') {
      throw new FlowerError('workflow-invalid', {
        workflow: this.#definition.name ?? 'workflow',
        detail: `step "${step.name}" has no stored value to read back; run from it or from an earlier step.`,
      });
    }
    this.#restore(step, state);
    this.#flow?.save(step.name, state);
    this.#emitSkip(step, index, 'already-passed');
  }

  #restore(step: Step, state: NonNullable<ReturnType<FlowSession['lastState']>>): void {
    for (const [key, value] of Object.entries(state.writes ?? {})) {
      if (!processKeys.has(key)) Object.assign(this.#ctx, { [key]: value });
    }
    if (state.result !== undefined) this.#ctx._results[step.name] = state.result as StepResult;
    if (state.sessionId !== null) {
      this.#ctx._sessions[step.name] = state.sessionId;
      this.#opened.set(step.name, state.sessionId);
    }
  }

  #prepareContext(): AnyContext {
    const { context } = this.#definition;
    const keys: ContextKeys = {
      _runtime: this.#runtime,
      _onEvent: this.#options.onEvent,
      _sessions: (context['_sessions'] as Record<string, string> | undefined) ?? {},
      _results: (context['_results'] as Record<string, StepResult> | undefined) ?? {},
      _lineage: this.#flow?.lineage,
      _woke: this.#flow?.woke ?? 1,
    };
    delete context['_failedAt'];
    delete context['_aborted'];
    return Object.assign(context, keys);
  }

  #tellStep(step: Step, result: StepResult): void {
    try {
      this.#options.onStep?.(step, result);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#runtime.bus.emit({ type: 'alarm', code: 'consumer-failed', params: { detail } });
    }
  }

  #emitStart(): void {
    this.#runtime.bus.emit({
      type: 'run-start',
      flow: this.#definition.name ?? '',
      woke: this.#ctx._woke,
      resumed: this.#flow !== undefined && this.#flow.previous !== 'none',
      steps: this.#definition.steps.map((step) => step.name),
      workspace: this.#runtime.workspace,
      runDir: this.#runtime.runDir,
    });
  }

  #emitEnd(isFinished: boolean): void {
    const { _failedAt: failedAt, _aborted: aborted } = this.#ctx;
    const results = this.#runtime.results;
    this.#runtime.bus.emit({
      type: 'run-end',
      ok: isFinished,
      ...(failedAt === undefined ? {} : { failedAt }),
      ...(aborted === undefined ? {} : { aborted }),
      costUsd: this.#runtime.totalCost(),
      unpricedTokens: results.reduce((sum, result) => sum + result.unpricedTokens, 0),
      durationMs: performance.now() - this.#startedMs,
      manifestPath: this.#runtime.manifestPath,
    });
  }

  #emitSkip(step: Step, index: number, reason: 'when' | 'already-passed'): void {
    const total = this.#definition.steps.length;
    this.#runtime.bus.emit({
      type: 'step-skip',
      step: step.name,
      index: index + 1,
      total,
      reason,
    });
  }

  #emitStepStart(step: Step, index: number, resumed: boolean): void {
    this.#runtime.bus.emit({
      type: 'step-start',
      step: step.name,
      index: index + 1,
      total: this.#definition.steps.length,
      resumed,
      woke: this.#ctx._woke,
    });
  }

  #emitStepEnd(step: Step, { passed, result }: StepOutcome): void {
    const error = result.error ?? (passed ? undefined : 'The gate rejected the result.');
    this.#runtime.bus.emit({
      type: 'step-end',
      step: step.name,
      ok: passed,
      costUsd: result.costUsd,
      durationMs: result.durationMs,
      sessionId: result.sessionId,
      context: result.context,
      ...(error === undefined ? {} : { error }),
    });
  }
}
