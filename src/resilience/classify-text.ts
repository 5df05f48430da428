import type { FailureClass } from './failure-facts.ts';
import {
  FATAL,
  FATAL_STATUSES,
  FIELD_NOT_KNOWN,
  LIMITED,
  OVERFLOW,
  TRANSIENT,
  TRANSIENT_STATUSES,
} from './failure-patterns.ts';
import { httpStatusIn } from './http-status.ts';

/**
 * Classifies a failure by its words alone, the last resort.
 *
 * Fatal comes before transient: a refused key or certificate often says "connection" too, and
 * waiting on it would never end. A server error is never an overflow, whatever a gateway quotes.
 */
export function classifyText(text: string): FailureClass {
  const status = httpStatusIn(text);
  if (!isServerError(status) && (status === 413 || OVERFLOW.test(text))) return 'overflow';
  if (FIELD_NOT_KNOWN.test(text)) return 'unknown';
  if (isFatal(text, status)) return 'fatal';
  if (LIMITED.test(text)) return 'limited';
  return isTransient(text, status) ? 'transient' : 'unknown';
}

/** True for a status of the server's or gateway's own failure. */
export function isServerError(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 500 && !FATAL_STATUSES.has(status);
}

function isFatal(text: string, status: number | null): boolean {
  return FATAL.test(text) || (status !== null && FATAL_STATUSES.has(status));
}

function isTransient(text: string, status: number | null): boolean {
  const byStatus = isServerError(status) || (status !== null && TRANSIENT_STATUSES.has(status));
  return byStatus || TRANSIENT.test(text);
}
