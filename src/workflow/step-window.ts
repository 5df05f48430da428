import { FlowerError } from '../errors/flower-error.ts';
import type { Step } from './step.ts';
import type { WorkflowDefinition, WorkflowRunOptions } from './workflow-definition.ts';

/** The steps of a run by their index; those before it are read back, those behind it left out. */
export interface StepWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  /** True when the caller chose it: its steps run even if they had passed. */
  readonly isChosen: boolean;
}

/**
 * The steps that `from` and `only` choose.
 *
 * @throws FlowerError `workflow-invalid` when an option names a step that is not there.
 */
export function stepWindow(
  definition: WorkflowDefinition,
  { from, only, fresh = [] }: Pick<WorkflowRunOptions, 'from' | 'only' | 'fresh'>,
): StepWindow {
  for (const name of fresh) indexOfStep(definition, name);
  const chosen = only ?? from;
  const end = definition.steps.length;
  if (chosen === undefined) return { first: 0, end, isChosen: false };
  const first = indexOfStep(definition, chosen);
  return { first, end: only === undefined ? end : first + 1, isChosen: true };
}

function indexOfStep({ name: flow, steps }: WorkflowDefinition, name: string): number {
  const index = steps.findIndex((step: Step) => step.name === name);
  if (index >= 0) return index;
  const known = steps.map((step) => step.name).join(', ');
  throw new FlowerError('workflow-invalid', {
    workflow: flow ?? 'workflow',
    detail: `there is no step "${name}"; its steps are ${known}.`,
  });
}
