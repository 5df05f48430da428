import { randomUUID } from 'node:crypto';
import type { StepState } from '../continuity/step-state.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { FlowSession } from '../runtime/flow-session.ts';
import type { RunOptions } from '../runtime/run-options.ts';
import type { StepResult } from '../runtime/step-result.ts';
import { attemptLabel } from './attempt-label.ts';
import type { AnyContext } from './context.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Step } from './step.ts';
import { StepAbort } from './step-abort.ts';

/** What a step needs to run. */
export interface StepRun {
  readonly step: Step;
  readonly ctx: AnyContext;
  /** Absent with `continuous: false`. */
  readonly flow: FlowSession | undefined;
  readonly signal: AbortSignal | undefined;
  /** Sessions that steps opened in this run: what `resumeFrom` may name. */
  readonly opened: Map<string, string>;
}

/** One thing to do next in a step: send something, or judge what is already there. */
export type StepEntry =
  | { readonly kind: 'run'; readonly attempt: number; readonly message: StepMessage }
  | { readonly kind: 'judge'; readonly attempt: number; readonly result: StepResult };

/** What the next attempt says, and where. */
export interface StepMessage {
  readonly prompt: string;
  /** Session to continue; absent: a new one. */
  readonly resume?: string;
  readonly fork?: boolean;
  /** Id of a session that was chosen earlier and has no record yet. */
  readonly sessionId?: string;
  /** The prompt only says "go on". */
  readonly continuing?: boolean;
}

/** How a step ended. */
export interface StepOutcome {
  readonly passed: boolean;
  readonly result: StepResult;
  /** Number of the last attempt. */
  readonly attempt: number;
  /** Reason of a StepAbort. */
  readonly aborted?: string;
}

/**
 * Runs the attempts of one step until one passes, none is left, or going on is useless.
 *
 * How far it got is on disk after each move: before an attempt starts, when its result is there,
 * when its gate rejected it. A kill in between is met by {@link planStep} at the next wake.
 */
export async function runStep(run: StepRun, entry: StepEntry): Promise<StepOutcome> {
  const { step } = run;
  const lastAttempt = entry.attempt + (step.options.retries ?? 0);
  let next = entry;
  for (;;) {
    const result = next.kind === 'judge' ? next.result : await runAttempt(run, next);
    run.ctx._results[step.name] = result;
    if (run.signal?.aborted === true)
      return { passed: false, result, attempt: next.attempt, aborted: 'stopped' };
    const verdict = await judge(run, result);
    if (verdict.kind === 'aborted') {
      saveEnd(run, 'failed', next.attempt, result);
      return { passed: false, result, attempt: next.attempt, aborted: verdict.reason };
    }
    if (verdict.kind === 'passed') return { passed: true, result, attempt: next.attempt };
    if (next.attempt >= lastAttempt) {
      if (result.ok) saveEnd(run, 'failed', next.attempt, result);
      return { passed: false, result, attempt: next.attempt };
    }
    next = {
      kind: 'run',
      attempt: next.attempt + 1,
      message: await nextMessage(run, result, next.attempt),
    };
  }
}

type JudgeVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'aborted'; readonly reason: string };

/** The gate speaks once for an attempt that ended well, never for one that failed. */
async function judge({ step, ctx }: StepRun, result: StepResult): Promise<JudgeVerdict> {
  const { gate } = step.options;
  if (!result.ok) return { kind: 'rejected' };
  if (gate === undefined) return { kind: 'passed' };
  try {
    return { kind: (await gate(result, ctx)) ? 'passed' : 'rejected' };
  } catch (error) {
    if (StepAbort.is(error)) return { kind: 'aborted', reason: error.message };
    throw error;
  }
}

async function runAttempt(
  run: StepRun,
  { attempt, message }: Extract<StepEntry, { kind: 'run' }>,
): Promise<StepResult> {
  const { step, ctx, flow, signal } = run;
  const label = attemptLabel(step.name, attempt, step.options.onReject !== undefined);
  const opensSession = message.resume === undefined || message.fork === true;
  const sessionId = message.sessionId ?? randomUUID();
  const options: RunOptions<unknown> = {
    stepName: label,
    ...(message.resume === undefined ? {} : { resume: message.resume }),
    ...(message.fork === undefined ? {} : { fork: message.fork }),
    ...(opensSession ? { sessionId } : {}),
    ...(message.continuing === undefined ? {} : { continuing: message.continuing }),
    ...(step.options.schema === undefined ? {} : { schema: step.options.schema }),
    ...(signal === undefined ? {} : { signal }),
    onStart: (session) => {
      if (opensSession) flow?.propose(step.name, session.sessionId);
      flow?.save(step.name, {
        ...stateOf(step, attempt),
        phase: 'running',
        prompt: message.prompt,
        ...(message.continuing === undefined ? {} : { continuing: message.continuing }),
        sessionId: session.sessionId,
        firstSequence: session.firstSequence,
      });
    },
    onRecord: (id) => flow?.remember(step.name, id),
  };
  const result = await ctx._runtime.run(step.spec, message.prompt, options);
  noteResult(run, attempt, message.prompt, result);
  return result;
}

function noteResult(run: StepRun, attempt: number, prompt: string, result: StepResult): void {
  const { step, ctx, flow } = run;
  if (result.sessionId === null) return;
  ctx._sessions[step.name] = result.sessionId;
  run.opened.set(step.name, result.sessionId);
  if (!result.ok || flow === undefined) return;
  flow.remember(step.name, result.sessionId);
  // Nobody is asked any more: that it passed is noted next, and says the same.
  if (isPassedAtOnce(run)) return;
  const state = flow.lastState(step.name);
  flow.save(step.name, {
    ...stateOf(step, attempt),
    phase: 'returned',
    prompt,
    sessionId: result.sessionId,
    firstSequence: state?.firstSequence ?? 0,
    result,
  });
}

function isPassedAtOnce({ step, signal }: StepRun): boolean {
  const { gate, reduce } = step.options;
  return gate === undefined && reduce === undefined && signal?.aborted !== true;
}

/** What the next attempt says: the objection in the same session, or everything anew. */
async function nextMessage(
  run: StepRun,
  result: StepResult,
  attempt: number,
): Promise<StepMessage> {
  const { step, ctx, flow } = run;
  const objection =
    result.sessionId === null ? '' : ((await step.options.onReject?.(result, ctx)) ?? '');
  const message: StepMessage =
    objection === '' || result.sessionId === null
      ? startMessage(run)
      : { prompt: objection, resume: result.sessionId };
  flow?.save(step.name, {
    ...stateOf(step, attempt),
    phase: 'rejected',
    prompt: objection,
    sessionId: result.sessionId,
    firstSequence: 0,
  });
  return message;
}

/** Notes that nothing is left to do in this step, in this run. */
export function saveEnd(
  { step, flow }: Pick<StepRun, 'step' | 'flow'>,
  phase: 'failed' | 'passed' | 'settled',
  attempt: number,
  result: StepResult,
  writes?: Record<string, unknown>,
): void {
  flow?.save(step.name, {
    ...stateOf(step, attempt),
    phase,
    prompt: '',
    sessionId: result.sessionId,
    firstSequence: 0,
    result,
    ...(writes === undefined ? {} : { writes }),
  });
}

/** The step's own beginning: its prompt, in a new session or in the one it declares. */
export function startMessage({
  step,
  ctx,
  opened,
}: Pick<StepRun, 'step' | 'ctx' | 'opened'>): StepMessage {
  const prompt = renderText(step.prompt, ctx);
  const { resumeFrom, fork = false } = step.options;
  if (resumeFrom === undefined) return { prompt };
  const resume = opened.get(resumeFrom);
  if (resume === undefined) {
    throw new FlowerError('resume-from-missing', { step: step.name, resumeFrom });
  }
  return { prompt, resume, fork };
}

/** A text, or what a function makes of ctx. */
export function renderText(text: string | ((ctx: AnyContext) => string), ctx: AnyContext): string {
  return typeof text === 'string' ? text : text(ctx);
}

function stateOf(step: Step, attempt: number): Pick<StepState, 'attempt' | 'fingerprint'> {
  return { attempt, fingerprint: fingerprintOf(step) };
}
