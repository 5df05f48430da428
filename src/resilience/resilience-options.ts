import { FlowerError } from '../errors/flower-error.ts';

/** How a run meets failures of network, server and limits. */
export interface Resilience {
  /**
   * Off: a failed attempt ends the step at once.
   * @defaultValue true
   */
  readonly enabled: boolean;
  /**
   * Attempts in one `Runtime.run`, the first included.
   * @defaultValue 6
   */
  readonly maxAttempts: number;
  /**
   * Wait after the first failed attempt; doubles with each further one.
   * @defaultValue 4000
   */
  readonly baseDelayMs: number;
  /**
   * The doubling stops here.
   * @defaultValue 120000
   */
  readonly maxDelayMs: number;
  /**
   * Bound of one probe: name resolution and TCP handshake.
   * @defaultValue 5000
   */
  readonly probeTimeoutMs: number;
  /**
   * Wait between two probes while offline.
   * @defaultValue 15000
   */
  readonly probeIntervalMs: number;
  /**
   * Longest wait for the network; `Infinity` waits for ever.
   * @defaultValue 3600000
   */
  readonly maxOfflineWaitMs: number;
  /**
   * Longest wait for an account limit to reset; a later reset ends the run to be woken then.
   * @defaultValue 21600000
   */
  readonly maxLimitWaitMs: number;
  /**
   * Whether a failure of no known kind is tried again.
   * @defaultValue true
   */
  readonly retryUnknown: boolean;
  /** What the model is told when its session goes on after a failure; holds no error detail. */
  readonly resumePrompt: string;
}

/** The values of options that are not given. */
export const resilienceDefaults: Resilience = Object.freeze({
  enabled: true,
  maxAttempts: 6,
  baseDelayMs: 4000,
  maxDelayMs: 120_000,
  probeTimeoutMs: 5000,
  probeIntervalMs: 15_000,
  maxOfflineWaitMs: 3_600_000,
  maxLimitWaitMs: 21_600_000,
  retryUnknown: true,
  resumePrompt:
    'Your last round was cut off half-way and did not finish. Look at what is already on disk, ' +
    'in the workspace and the workbench, and go on from where it broke off. Do not start over.',
});

/**
 * Completes and checks options.
 *
 * @returns A frozen object with every field set.
 * @throws FlowerError `option-invalid` for a value out of range or an unknown name.
 */
export function resolveResilience(options: Partial<Resilience> = {}): Resilience {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) checkOption(name, value);
  return Object.freeze({ ...resilienceDefaults, ...Object.fromEntries(given) });
}

interface Check {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const bool: Check = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
const count: Check = {
  expected: 'a whole number of at least 1',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
};
const duration: Check = {
  expected: 'a finite number of milliseconds, 0 or more',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
};
const positive: Check = {
  expected: 'a finite number of milliseconds above 0',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
};
const bound: Check = {
  expected: 'a number of milliseconds, 0 or more, or Infinity',
  accepts: (value) => typeof value === 'number' && value >= 0,
};
const prompt: Check = {
  expected: 'a text that is not blank',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};

const CHECKS: Readonly<Record<keyof Resilience, Check>> = {
  enabled: bool,
  maxAttempts: count,
  baseDelayMs: duration,
  maxDelayMs: duration,
  probeTimeoutMs: positive,
  probeIntervalMs: positive,
  maxOfflineWaitMs: bound,
  maxLimitWaitMs: bound,
  retryUnknown: bool,
  resumePrompt: prompt,
};

function checkOption(name: string, value: unknown): void {
  const option = `resilience.${name}`;
  if (!isOptionName(name)) {
    const expected = `left out: the options are ${Object.keys(CHECKS).join(', ')}`;
    throw new FlowerError('option-invalid', { option, value: shown(value), expected });
  }
  const { accepts, expected } = CHECKS[name];
  if (!accepts(value)) {
    throw new FlowerError('option-invalid', { option, value: shown(value), expected });
  }
}

function isOptionName(name: string): name is keyof Resilience {
  return Object.hasOwn(CHECKS, name);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
