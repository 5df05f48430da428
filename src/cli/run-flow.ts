import type { CommandContext } from './command-context.ts';
import type { RunCommandOptions } from './commands/run.ts';
import { exitCodeOfFailure, exitCodes } from './exit-codes.ts';
import { loadFlow } from './load-flow.ts';
import { withRunSession } from './run-session.ts';

/**
 * Body of `flower run`: loads the workflow and runs it, or goes on with it.
 *
 * @returns 0 when it is finished, 75 when the step that failed can succeed later as it is, else 1.
 */
export async function runFlow(
  context: CommandContext,
  target: string,
  options: RunCommandOptions,
): Promise<number> {
  const workflow = await loadFlow(target, context.host.directory);
  return withRunSession(context, options, async ({ runtime, signal }) => {
    const ctx = await workflow.run(runtime, { signal, ...stepSelection(options) });
    const failedAt = ctx._failedAt;
    if (failedAt === undefined) return exitCodes.done;
    return exitCodeOfFailure(ctx._results[failedAt]);
  });
}

/** The flags that are for the workflow, not for the runtime. */
function stepSelection(
  options: RunCommandOptions,
): Pick<RunCommandOptions, 'new' | 'moved' | 'from' | 'only' | 'fresh'> {
  const { model: _model, projectSettings: _projectSettings, ...selection } = options;
  return selection;
}
