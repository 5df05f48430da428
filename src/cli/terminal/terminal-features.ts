/** The part of a writable stream that a view needs. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a stream can show. */
export interface TerminalFeatures {
  /** Colours may be written. */
  readonly colours: boolean;
  /** The cursor may be moved: a live line at the bottom is possible. */
  readonly cursor: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides what may be written to a stream besides text.
 *
 * Nothing without a terminal, with `TERM=dumb` or with a non-empty `NO_COLOR`; a non-empty
 * `FORCE_COLOR` other than `0` allows colours, never cursor control.
 */
export function terminalFeatures(stream: OutputStream, env: Environment): TerminalFeatures {
  const plain = env.TERM === 'dumb' || isSet(env.NO_COLOR);
  const cursor = stream.isTTY === true && !plain;
  const forced = isSet(env.FORCE_COLOR) && env.FORCE_COLOR !== '0';
  return { colours: cursor || forced, cursor };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

const narrowestColumns = 40;
const widestTextColumns = 120;

/**
 * Columns that record lines may use: those of the terminal between 40 and 120, `Infinity` for a
 * file or a pipe, where lines stay whole.
 */
export function textColumns(stream: OutputStream): number {
  if (stream.isTTY !== true) return Number.POSITIVE_INFINITY;
  return Math.min(widestTextColumns, Math.max(narrowestColumns, stream.columns ?? 80));
}
