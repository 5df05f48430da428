import { FlowerError } from '../errors/flower-error.ts';
import type { FlowerErrorCode, FlowerErrorParams } from '../errors/error-messages.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { sanitize, sanitizeLine } from './terminal/sanitize.ts';
import type { OutputStream } from './terminal/terminal-features.ts';

/** How {@link reportError} speaks. */
export interface ReportOptions {
  readonly stderr: OutputStream;
  readonly texts: Catalogue;
  /** Print the stack of an unexpected error. */
  readonly debug: boolean;
}

/**
 * Says in one line what went wrong and tells the exit code.
 *
 * An error of flower is told in the language of the catalogue. Anything else is a fault that nobody
 * expected: one line, exit code 1, the stack only with `--debug`.
 */
export function reportError(error: unknown, { stderr, texts, debug }: ReportOptions): number {
  if (FlowerError.is(error)) {
    stderr.write(`flower: ${sanitizeLine(messageOf(error, texts))}\n`);
    if (debug && error.cause instanceof Error) writeStack(stderr, error.cause);
    return exitCodeOf(error.code);
  }
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`flower: ${texts.process.unexpected(sanitizeLine(message))}\n`);
  if (debug && error instanceof Error) writeStack(stderr, error);
  return exitCodes.failed;
}

/** The text of the catalogue; of a newer flower's error its own English text. */
function messageOf<Code extends FlowerErrorCode>(
  error: FlowerError<Code>,
  texts: Catalogue,
): string {
  const text: ((params: FlowerErrorParams[Code]) => string) | undefined = texts.errors[error.code];
  return text === undefined ? error.message : text(error.params);
}

function writeStack(stderr: OutputStream, error: Error): void {
  stderr.write(`${sanitize(error.stack ?? String(error))}\n`);
}
