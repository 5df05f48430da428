const marker = Symbol.for('flower.step-abort');

/**
 * Thrown by a gate: trying again is useless, do not spend the remaining rounds.
 *
 * `false` means "not this time, one more round"; `StepAbort` means "one more round will not help".
 * The reason lands in `ctx._aborted`, the step counts as failed and follows its `onFail`.
 */
export class StepAbort extends Error {
  override readonly name = 'StepAbort';
  readonly [marker] = true;

  /** True for a StepAbort of any copy of the package. */
  static is(value: unknown): value is StepAbort {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
