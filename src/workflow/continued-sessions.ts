import type { ContinuedSession } from '../events/event.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Step } from './step.ts';

/** Which steps are looked at. */
export interface ContinuedSteps {
  readonly steps: readonly Step[];
  /** True when the caller chose them: they run even if they had passed. */
  readonly isChosen: boolean;
}

/**
 * The sessions that a run will go on in, as they stand before it: those of unfinished steps, and
 * after a finished run those of every step that speaks again. Looks only.
 */
export async function continuedSessions(
  flow: FlowSession,
  { steps, isChosen }: ContinuedSteps,
): Promise<ContinuedSession[]> {
  const found: ContinuedSession[] = [];
  for (const step of steps) {
    const facts = await sessionOf(flow, step, isChosen);
    if (facts !== undefined) found.push({ step: step.name, ...facts });
  }
  return found;
}

async function sessionOf(
  flow: FlowSession,
  step: Step,
  isChosen: boolean,
): Promise<Omit<ContinuedSession, 'step'> | undefined> {
  const state = isChosen ? undefined : flow.state(step.name);
  const isDone = state?.phase === 'passed' || state?.phase === 'settled';
  if (state?.fingerprint === fingerprintOf(step) && step.options.rerun !== true) {
    if (isDone) return undefined;
    if (state.sessionId !== null) return await flow.wakeFacts(step.name, state.sessionId);
  }
  // A step that follows another one begins from that again.
  return step.options.resumeFrom === undefined ? await flow.wakeFacts(step.name) : undefined;
}
