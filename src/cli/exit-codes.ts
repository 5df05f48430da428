import type { FlowerErrorCode } from '../errors/error-messages.ts';
import type { StepResult } from '../runtime/step-result.ts';

/** Exit codes of the command. */
export const exitCodes = Object.freeze({
  done: 0,
  failed: 1,
  usage: 2,
  budget: 4,
  tryAgainLater: 75,
  hangUp: 129,
  interrupted: 130,
  terminated: 143,
});

/** Exit code of each error: 2 when the call or the flow file is wrong, 75 when waiting helps. */
const exitCodeOfError: Readonly<Record<FlowerErrorCode, number>> = {
  usage: exitCodes.usage,
  'flow-target': exitCodes.usage,
  'flow-not-found': exitCodes.usage,
  'flow-broken': exitCodes.usage,
  'flow-attribute': exitCodes.usage,
  'flow-not-a-workflow': exitCodes.usage,
  'workflow-invalid': exitCodes.usage,
  'agent-invalid': exitCodes.usage,
  'option-invalid': exitCodes.usage,
  'session-unknown': exitCodes.usage,
  'workspace-missing': exitCodes.usage,
  'conversation-unknown': exitCodes.usage,
  'archive-invalid': exitCodes.usage,
  'history-exists': exitCodes.usage,
  'history-missing': exitCodes.usage,
  'resume-from-missing': exitCodes.failed,
  'run-dir-unwritable': exitCodes.failed,
  'credentials-missing': exitCodes.failed,
  'platform-unsupported': exitCodes.failed,
  'database-newer': exitCodes.failed,
  'database-locked': exitCodes.tryAgainLater,
  'database-damaged': exitCodes.tryAgainLater,
  'script-mismatch': exitCodes.failed,
  busy: exitCodes.tryAgainLater,
  'lease-lost': exitCodes.tryAgainLater,
};

/** Exit code of an error by its code; a code of a newer flower counts as a failure. */
export function exitCodeOf(code: FlowerErrorCode): number {
  return exitCodeOfError[code] ?? exitCodes.failed;
}

/** What ended a step that may spend no more. */
const budgetReasons: readonly (string | null)[] = ['budget_exhausted', 'error_max_budget_usd'];

/**
 * Exit code of a failed step: 4 when its budget was reached, 75 when the same run can succeed later
 * without any change.
 */
export function exitCodeOfFailure(
  result: Pick<StepResult, 'failure' | 'terminalReason'> | undefined,
): number {
  if (result === undefined) return exitCodes.failed;
  if (budgetReasons.includes(result.terminalReason)) return exitCodes.budget;
  const canWait = result.failure === 'limited' || result.failure === 'transient';
  return canWait ? exitCodes.tryAgainLater : exitCodes.failed;
}
