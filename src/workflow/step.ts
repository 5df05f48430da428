import type { ZodType } from 'zod';
import type { AgentSpec } from '../claude/agent-spec.ts';
import type { StepResult } from '../runtime/step-result.ts';
import type { AnyContext } from './context.ts';

/** What happens to the run when a step fails for good. */
export type OnFail = 'stop' | 'skip' | 'continue';

/**
 * How a step is judged, repeated and connected. Every callback gets the live ctx.
 *
 * @typeParam Context - ctx as this step sees it
 * @typeParam Output - type of the structured answer, when there is a `schema`
 * @typeParam Value - what `ctx[name]` becomes
 * @typeParam Earlier - names of the steps before
 */
export interface StepOptions<
  Context = AnyContext,
  Output = string,
  Value = Output,
  Earlier extends string = string,
> {
  /** Continue the session of an earlier step, which must have opened one in this run. */
  readonly resumeFrom?: Earlier;
  /** Branch that session instead; the original stays untouched. @defaultValue `false` */
  readonly fork?: boolean;
  /** Extra attempts after a failed attempt. @defaultValue `0` */
  readonly retries?: number;
  /**
   * Is the result good enough? Called once for each attempt that ended well, never for one that
   * failed. May throw {@link StepAbort}.
   */
  readonly gate?: (result: StepResult<Output>, ctx: Context) => boolean | Promise<boolean>;
  /**
   * What to say after a rejection: the same session goes on with it. An empty text, or an attempt
   * without a session, starts anew. Without this option every retry starts anew.
   */
  readonly onReject?: (result: StepResult<Output>, ctx: Context) => string | Promise<string>;
  /** False: the step is not run and its key is not written. */
  readonly when?: (ctx: Context) => boolean | Promise<boolean>;
  /** What `ctx[name]` becomes instead of the text. Synchronous: a promise is an error. */
  readonly reduce?: (result: StepResult<Output>, ctx: Context) => Value;
  /** What is said when the step goes on in a session of an earlier process. @defaultValue the prompt */
  readonly resumePrompt?: string | ((ctx: Context) => string);
  /** `stop` ends the run, `skip` writes nothing, `continue` writes the raw text. @defaultValue `'stop'` */
  readonly onFail?: OnFail;
  /** Asks for a structured answer; `ctx[name]` and `result.output` are its validated value. */
  readonly schema?: ZodType<Output>;
  /** Run it again at every wake, also when it had passed in the unfinished run. @defaultValue `false` */
  readonly rerun?: boolean;
}

/** What an agent is told: a text, or a function of ctx. */
export type StepPrompt<Context = AnyContext> = string | ((ctx: Context) => string);

/**
 * One stage of a workflow: a declaration, run as one `Runtime.run`, that is one agent session.
 *
 * @example
 * ```ts
 * new Step('read', reader, 'Read seed.txt and answer with its one word.');
 * ```
 */
export class Step {
  /** Key in ctx, row in the manifest, key of the lineage. */
  readonly name: string;
  readonly spec: AgentSpec;
  readonly prompt: StepPrompt;
  readonly options: StepOptions<AnyContext, unknown, unknown>;

  constructor(
    name: string,
    spec: AgentSpec,
    prompt: StepPrompt,
    options: StepOptions<AnyContext, unknown, unknown> = {},
  ) {
    this.name = name;
    this.spec = spec;
    this.prompt = prompt;
    this.options = options;
  }
}
