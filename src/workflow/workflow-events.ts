import type { ContinuedSession } from '../events/event.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AnyContext } from './context.ts';
import type { WorkflowDefinition } from './workflow-definition.ts';
import type { StepOutcome } from './run-step.ts';
import type { Step } from './step.ts';

/** What one run of a workflow tells its consumers. */
export class WorkflowEvents {
  readonly #definition: WorkflowDefinition;
  readonly #runtime: Runtime;
  readonly #startedMs = performance.now();

  constructor(definition: WorkflowDefinition, runtime: Runtime) {
    this.#definition = definition;
    this.#runtime = runtime;
  }

  runStart(
    woke: number,
    flow: FlowSession | undefined,
    continues: readonly ContinuedSession[],
  ): void {
    this.#runtime.bus.emit({
      type: 'run-start',
      flow: this.#definition.name ?? '',
      woke,
      resumed: flow !== undefined && flow.previous !== 'none',
      continues,
      steps: this.#definition.steps.map((step) => step.name),
      workspace: this.#runtime.workspace,
      runDir: this.#runtime.runDir,
    });
  }

  runEnd(ok: boolean, { _failedAt: failedAt, _aborted: aborted }: AnyContext): void {
    const results = this.#runtime.results;
    this.#runtime.bus.emit({
      type: 'run-end',
      ok,
      ...(failedAt === undefined ? {} : { failedAt }),
      ...(aborted === undefined ? {} : { aborted }),
      costUsd: this.#runtime.totalCost(),
      unpricedTokens: results.reduce((sum, result) => sum + result.unpricedTokens, 0),
      durationMs: Math.round(performance.now() - this.#startedMs),
      manifestPath: this.#runtime.manifestPath,
    });
  }

  stepSkip(step: Step, reason: 'when' | 'already-passed'): void {
    this.#runtime.bus.emit({ type: 'step-skip', ...this.#placeOf(step), reason });
  }

  stepStart(step: Step, resumed: boolean, woke: number): void {
    this.#runtime.bus.emit({ type: 'step-start', ...this.#placeOf(step), resumed, woke });
  }

  stepEnd(step: Step, { passed, result, aborted }: StepOutcome): void {
    const rejection = passed ? undefined : (aborted ?? 'The gate rejected the result.');
    const error = result.error ?? rejection;
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

  valueNotStored(step: Step, key: string): void {
    const params = { step: step.name, key };
    this.#runtime.bus.emit({ type: 'notice', code: 'value-not-stored', params });
  }

  consumerFailed(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    this.#runtime.bus.emit({ type: 'alarm', code: 'consumer-failed', params: { detail } });
  }

  #placeOf(step: Step): { step: string; index: number; total: number } {
    const { steps } = this.#definition;
    return { step: step.name, index: steps.indexOf(step) + 1, total: steps.length };
  }
}
