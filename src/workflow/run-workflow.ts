import { withDiskErrors } from '../runtime/disk-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AnyContext } from './context.ts';
import { stepWindow } from './step-window.ts';
import type { WorkflowDefinition, WorkflowRunOptions } from './workflow-definition.ts';
import { WorkflowRun, type WorkflowRunParts } from './workflow-run.ts';

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
    return await withDiskErrors(runtime.runDir, () =>
      runInFlow({ definition, runtime, options, window }),
    );
  } finally {
    unsubscribe?.();
  }
}

async function runInFlow(parts: Omit<WorkflowRunParts, 'flow'>): Promise<AnyContext> {
  const { definition, runtime, options } = parts;
  const flow = definition.continuous
    ? await runtime.openFlow({
        flow: definition.name,
        startOver: options.new ?? false,
        moved: options.moved ?? false,
      })
    : undefined;
  try {
    return await new WorkflowRun({ ...parts, flow }).run();
  } finally {
    // The run has ended its flow itself, unless it broke before it began.
    flow?.end('unfinished');
  }
}
