const FALSE_WORDS: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off']);

/** Reads a switch from the environment: set, and none of `0`, `false`, `no`, `off`. */
export function isTruthy(value: string | undefined): boolean {
  return value !== undefined && !FALSE_WORDS.has(value.trim().toLowerCase());
}
