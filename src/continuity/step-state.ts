import { z } from 'zod';
import { isSessionId } from './lineage-file.ts';

/**
 * How far a step of an unfinished run got.
 *
 * `running`: an attempt was started. `returned`: its result is on disk, its gate has not spoken.
 * `rejected`: the gate said no, the next attempt has not started. `failed`: the gate said no and no
 * attempt was left. `passed`: done, its values are on disk. `settled`: failed for good, and the run
 * went on (`onFail` `skip` or `continue`).
 */
export const stepState = z.object({
  phase: z.enum(['running', 'returned', 'rejected', 'failed', 'passed', 'settled']),
  /** Number of the attempt in its label: 0 for `X`, 1 for `X#retry1` or `X#round2`. */
  attempt: z.number().int().nonnegative(),
  /** Digest of the step's definition; another one makes the step run again. */
  fingerprint: z.string(),
  sessionId: z.string().refine(isSessionId).nullable(),
  /** Place in the session where the attempt's own rows begin. */
  firstSequence: z.number().int().nonnegative(),
  /** What the attempt was told. */
  prompt: z.string(),
  /** True when that only said "go on": the attempt had been cut before. */
  continuing: z.boolean().optional(),
  /** The attempt's result, as JSON. */
  result: z.unknown().optional(),
  /** Keys that the step wrote to ctx, its own included. */
  writes: z.record(z.string(), z.unknown()).optional(),
});

/** State of one step, as it is stored. */
export type StepState = z.infer<typeof stepState>;

/** Reads a stored state; `undefined` when it is damaged: the step then counts as never begun. */
export function parseStepState(text: string): StepState | undefined {
  try {
    return stepState.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
