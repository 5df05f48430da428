import type { StepState } from '../continuity/step-state.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import type { StepResult } from '../runtime/step-result.ts';
import { attemptLabel } from './attempt-label.ts';
import { fingerprintOf } from './fingerprint.ts';
import { renderText, type StepEntry, type StepRun, startMessage } from './run-step.ts';

/** What is to be done with a step in this run. */
export type StepPlan =
  | { readonly kind: 'done'; readonly state: StepState }
  | {
      readonly kind: 'enter';
      readonly entry: StepEntry;
      /** True when an earlier process's session goes on. */
      readonly resumed: boolean;
    };

/**
 * Decides how a step is entered, from what is on disk.
 *
 * In an unfinished run a step that is done stays done, a result without a verdict goes to its gate,
 * and a cut step goes on in its own session. After a finished run every step speaks again in its
 * session.
 */
export async function planStep(run: StepRun): Promise<StepPlan> {
  const { step, flow } = run;
  if (flow === undefined) return enter({ kind: 'run', attempt: 0, message: startMessage(run) });
  const state = flow.state(step.name);
  const isSame = state !== undefined && state.fingerprint === fingerprintOf(step);
  if (!isSame) return await speakAgain(run, flow, state !== undefined);
  if (state.phase === 'passed' || state.phase === 'settled') {
    return step.options.rerun === true
      ? await speakAgain(run, flow, true)
      : { kind: 'done', state };
  }
  return await goOn(run, flow, state);
}

/** The step begins: in its session of an earlier run when that lives, else as declared. */
async function speakAgain(run: StepRun, flow: FlowSession, changed: boolean): Promise<StepPlan> {
  const { step, ctx } = run;
  const carried =
    step.options.resumeFrom === undefined ? await flow.liveSession(step.name) : undefined;
  if (carried === undefined) {
    return enter({ kind: 'run', attempt: 0, message: startMessage(run) });
  }
  // A changed definition must be heard in its own words.
  const text = changed ? step.prompt : (step.options.resumePrompt ?? step.prompt);
  const message = { prompt: renderText(text, ctx), resume: carried };
  return { ...enter({ kind: 'run', attempt: 0, message }), resumed: true };
}

async function goOn(run: StepRun, flow: FlowSession, state: StepState): Promise<StepPlan> {
  switch (state.phase) {
    case 'returned':
      noteSession(run, state.sessionId);
      return underWay({
        kind: 'judge',
        attempt: state.attempt,
        result: state.result as StepResult,
      });
    case 'rejected':
      return await afterRejection(run, flow, state);
    case 'failed':
      return await sayGoOn(run, flow, state, 0);
    default:
      return await afterCut(run, flow, state);
  }
}

async function afterRejection(
  run: StepRun,
  flow: FlowSession,
  state: StepState,
): Promise<StepPlan> {
  const attempt = state.attempt + 1;
  const { sessionId } = state;
  if (state.prompt !== '' && sessionId !== null && (await isAlive(flow, sessionId))) {
    const message = { prompt: state.prompt, resume: sessionId };
    return underWay({ kind: 'run', attempt, message });
  }
  return underWay({ kind: 'run', attempt, message: startMessage(run) });
}

async function afterCut(run: StepRun, flow: FlowSession, state: StepState): Promise<StepPlan> {
  const { sessionId, attempt, prompt, continuing, firstSequence } = state;
  if (sessionId === null) {
    return underWay({ kind: 'run', attempt, message: startMessage(run) });
  }
  const standing = await flow.standing(sessionId);
  if (!standing.exists) {
    return underWay({ kind: 'run', attempt, message: { ...startMessage(run), prompt, sessionId } });
  }
  if (!(await flow.hasSpokenSince(sessionId, firstSequence))) {
    const message = {
      prompt,
      resume: sessionId,
      ...(continuing === undefined ? {} : { continuing }),
    };
    return underWay({ kind: 'run', attempt, message });
  }
  const result = await recoverResult(run, state, standing);
  if (result !== undefined) return underWay({ kind: 'judge', attempt, result });
  return await sayGoOn(run, flow, state, attempt);
}

/** The turn may be complete on disk: then only its verdict is missing, and nothing is asked again. */
async function recoverResult(
  run: StepRun,
  state: StepState,
  standing: Awaited<ReturnType<FlowSession['standing']>>,
): Promise<StepResult | undefined> {
  const { step, ctx } = run;
  const { schema, onReject } = step.options;
  const { sessionId, attempt } = state;
  if (sessionId === null) return undefined;
  const answer = schema?.safeParse(standing.structuredOutput);
  const isComplete =
    schema === undefined
      ? standing.turn.kind === 'complete' && !standing.turn.interrupted
      : answer?.success === true;
  if (!isComplete) return undefined;
  const label = attemptLabel(step.name, attempt, onReject !== undefined);
  const result = await ctx._runtime.recoverResult(label, sessionId, {
    text: standing.turnText,
    ...(answer?.success === true ? { output: answer.data } : {}),
  });
  noteSession(run, sessionId);
  return result;
}

/** A session that is not run again counts as opened in this run all the same. */
function noteSession({ step, ctx, opened }: StepRun, sessionId: string | null): void {
  if (sessionId === null) return;
  ctx._sessions[step.name] = sessionId;
  opened.set(step.name, sessionId);
}

async function sayGoOn(
  run: StepRun,
  flow: FlowSession,
  state: StepState,
  attempt: number,
): Promise<StepPlan> {
  const { step, ctx } = run;
  const { sessionId } = state;
  if (sessionId === null || !(await isAlive(flow, sessionId))) {
    return underWay({ kind: 'run', attempt, message: startMessage(run) });
  }
  const prompt = renderText(step.options.resumePrompt ?? ctx._runtime.resumePrompt, ctx);
  return underWay({
    kind: 'run',
    attempt,
    message: { prompt, resume: sessionId, continuing: true },
  });
}

async function isAlive(flow: FlowSession, sessionId: string): Promise<boolean> {
  return (await flow.standing(sessionId)).exists;
}

function enter(entry: StepEntry): Extract<StepPlan, { kind: 'enter' }> {
  return { kind: 'enter', entry, resumed: false };
}

function underWay(entry: StepEntry): Extract<StepPlan, { kind: 'enter' }> {
  return { kind: 'enter', entry, resumed: true };
}
