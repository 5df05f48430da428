import { FlowerError } from '../errors/flower-error.ts';
import type { FlowTarget } from './flow-target.ts';

/** `ParseError: Unexpected token  \n /path/flow.ts:2:17`, as jiti's transformer reports it. */
const parseError = /^ParseError: (?<detail>[\s\S]*?)\s*\n\s*(?<where>\S.*:\d+:\d+)\s*$/;
/** First stack frame with a place in a file that is not of Node itself or of a package. */
const stackPlace =
  /^\s+at (?:.*\()?(?:file:\/\/)?(?<where>\/(?!.*\/node_modules\/).*:\d+:\d+)\)?$/m;

/**
 * The `flow-broken` error of what an import or a call of a flow file threw.
 *
 * Names the place as `path:line:column` where the cause tells it, else the file. An error of
 * flower itself, such as `workflow-invalid`, already says everything and is returned as it is.
 */
export function flowFailure({ target }: FlowTarget, file: string, cause: unknown): FlowerError {
  if (FlowerError.is(cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const parsed = parseError.exec(message)?.groups;
  const where = parsed?.where ?? missingModulePlace(cause) ?? stackOf(cause) ?? file;
  const detail = parsed?.detail ?? message.split('\n')[0] ?? '';
  return new FlowerError('flow-broken', { target, where, detail }, { cause });
}

/** The file whose import failed: Node lists it first in `requireStack`. */
function missingModulePlace(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('requireStack' in cause)) return undefined;
  const stack = cause.requireStack;
  const first: unknown = Array.isArray(stack) ? stack[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

function stackOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return stackPlace.exec(cause.stack ?? '')?.groups?.where;
}
