import { errorMessages, type FlowerErrorCode, type FlowerErrorParams } from './error-messages.ts';

const marker = Symbol.for('flower.error');

/**
 * Base of every error that flower throws on purpose.
 *
 * `message` is the English text of `errorMessages`; the command line prints the text of its own
 * language from `code` and `params`. Match on `code`, never on the text: a flow file may load its
 * own copy of flower, so `instanceof` can be false. Use {@link FlowerError.is}.
 */
export class FlowerError<Code extends FlowerErrorCode = FlowerErrorCode> extends Error {
  override readonly name = 'FlowerError';
  readonly [marker] = true;
  /** Stable name of what happened; `docs/errors/<code>.md` explains it. */
  readonly code: Code;
  /** The data of this case: paths, names, numbers. */
  readonly params: FlowerErrorParams[Code];

  constructor(code: Code, params: FlowerErrorParams[Code], options?: ErrorOptions) {
    super(errorMessages[code](params), options);
    this.code = code;
    this.params = params;
  }

  /** True for flower errors of any copy of the package. */
  static is(value: unknown): value is FlowerError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
