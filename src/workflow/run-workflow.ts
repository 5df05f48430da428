import type { Runtime } from '../runtime/runtime.ts';
import type { AnyContext } from './context.ts';
import { stepWindow } from './step-window.ts';
import type { WorkflowDefinition, WorkflowRunOptions } from './workflow-definition.ts';
import { WorkflowRun } from './workflow-run.ts';

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
    try {
      return await new WorkflowRun({ definition, runtime, options, flow, window }).run();
    } finally {
      // The run has ended its flow itself, unless it broke before it began.
      flow?.end('unfinished');
    }
  } finally {
    unsubscribe?.();
  }
}
