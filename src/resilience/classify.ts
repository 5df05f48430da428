import { classifyFields } from './classify-fields.ts';
import { classifyText } from './classify-text.ts';
import type { FailureClass, FailureFacts } from './failure-facts.ts';

/**
 * Decides how a failed attempt is to be met.
 *
 * Structured fields decide before words do; standard error is read only when the message itself
 * says nothing ("process exited with code 1"). Never throws.
 *
 * @param failure - The facts, or just the text of the failure.
 */
export function classify(failure: string | FailureFacts): FailureClass {
  if (typeof failure === 'string') return classifyText(failure);
  const byFields = classifyFields(failure);
  if (byFields !== undefined) return byFields;
  const byMessage = classifyText(failure.message ?? '');
  return byMessage === 'unknown' ? classifyText(failure.stderr ?? '') : byMessage;
}

/**
 * Says whether the same session may be tried again after a wait.
 *
 * A limit is worth it once its reset has passed; an overflow needs a hand-off instead.
 */
export function isWorthRetrying(
  failure: FailureClass,
  options: { readonly retryUnknown: boolean },
): boolean {
  if (failure === 'unknown') return options.retryUnknown;
  return failure === 'transient' || failure === 'limited';
}
