import type { AgentSpec } from '../claude/agent-spec.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AnyContext, ContextKeys, StepContext } from './context.ts';
import { runWorkflow } from './run-workflow.ts';
import type { WorkflowRunOptions } from './workflow-definition.ts';
import { type OnFail, Step, type StepOptions, type StepPrompt } from './step.ts';

const marker = Symbol.for('flower.workflow');

/** How a {@link Workflow} is made. */
export interface WorkflowOptions {
  /** Name of the flow; its lineage keys become `flow/step`. @defaultValue unnamed */
  readonly name?: string;
  /** The ctx object itself; filled in place. @defaultValue `{}` */
  readonly context?: Record<string, unknown>;
  /** Go on in the sessions of earlier runs in the same directory. @defaultValue `true` */
  readonly continuous?: boolean;
}

/** A step name that the compiler accepts: new, without `#`, `·`, `/`, and not beginning with `_`. */
export type StepName<Name extends string, Values> = Name extends keyof Values
  ? `A step "${Name}" is there already`
  : Name extends
        | `_${string}`
        | `${string}#${string}`
        | `${string}·${string}`
        | `${string}/${string}`
    ? 'A step name must not begin with "_" nor hold "#", "·" or "/"'
    : Name;

/** Options that leave `ctx[name]` unwritten in some outcomes. */
export type OptionalStepOptions<Context, Output, Value, Earlier extends string> = StepOptions<
  Context,
  Output,
  Value,
  Earlier
> &
  (
    | {
        /** False: the step is not run and its key is not written. */
        readonly when: (ctx: Context) => boolean | Promise<boolean>;
      }
    | { readonly onFail: Exclude<OnFail, 'stop'> }
  );

/** Options of a step that writes its value or ends the run. */
export type RequiredStepOptions<Context, Output, Value, Earlier extends string> = Omit<
  StepOptions<Context, Output, Value, Earlier>,
  'when' | 'onFail'
> & { readonly when?: never; readonly onFail?: 'stop' };

/**
 * An ordered list of steps. Code decides the order, what a step sees, when it counts as done and
 * when to stop.
 *
 * `Workflow.of(name).step(...)` is the typed way: ctx grows by each step's value, and a wrong key or
 * a `resumeFrom` to an unknown or later step does not compile. `new Workflow(steps)` is the same
 * object from an array.
 *
 * @typeParam Values - what the steps write to ctx
 * @typeParam Names - names of the steps
 *
 * @example
 * ```ts
 * export const notes = Workflow.of('notes')
 *   .step('read', reader, 'Read README.md and say in one line what it is about.')
 *   .step('write', writer, (ctx) => `Write notes.md about: ${ctx.read}`);
 * ```
 */
export class Workflow<
  Values extends object = Record<string, unknown>,
  Names extends string = string,
> {
  readonly [marker] = true;
  /** `undefined` for an unnamed workflow. */
  readonly name: string | undefined;
  readonly steps: readonly Step[];
  /** ctx itself: what `run` fills and returns. */
  readonly context: Record<string, unknown>;
  readonly continuous: boolean;

  /** @throws FlowerError `workflow-invalid` */
  constructor(steps: readonly Step[], options: WorkflowOptions = {}) {
    this.name = options.name;
    this.steps = [...steps];
    this.context = options.context ?? {};
    this.continuous = options.continuous ?? true;
    if (options.name?.trim() === '') {
      const detail = 'its name is blank; leave the name out for an unnamed workflow.';
      throw new FlowerError('workflow-invalid', { workflow: options.name, detail });
    }
    checkSteps(this.steps, options.name ?? 'workflow');
  }

  /** Begins a named workflow without steps. */
  static of(name: string, options: Omit<WorkflowOptions, 'name'> = {}): Workflow<object, never> {
    return new Workflow<object, never>([], { ...options, name });
  }

  /** True for workflows of any copy of the package. */
  static is(value: unknown): value is Workflow {
    return typeof value === 'object' && value !== null && marker in value;
  }

  /** Adds a step whose value is in ctx for every later step. */
  step<const Name extends string, Output = string, Value = Output>(
    name: StepName<Name, Values>,
    spec: AgentSpec,
    prompt: StepPrompt<StepContext<Values>>,
    options?: RequiredStepOptions<StepContext<Values>, Output, Value, Names>,
  ): Workflow<Values & Record<Name, Value>, Names | Name>;
  /** Adds a step that may be skipped or may fail without ending the run: its key is optional. */
  step<const Name extends string, Output = string, Value = Output>(
    name: StepName<Name, Values>,
    spec: AgentSpec,
    prompt: StepPrompt<StepContext<Values>>,
    options: OptionalStepOptions<StepContext<Values>, Output, Value, Names>,
  ): Workflow<Values & Partial<Record<Name, Value | string>>, Names | Name>;
  step(name: unknown, spec: AgentSpec, prompt: unknown, options: unknown = {}): unknown {
    // The typed callbacks see the same ctx and result that the untyped step hands them.
    const step = new Step(
      String(name),
      spec,
      prompt as StepPrompt,
      options as StepOptions<AnyContext, unknown, unknown>,
    );
    const { context, continuous } = this;
    return new Workflow([...this.steps, step], {
      context,
      continuous,
      ...(this.name === undefined ? {} : { name: this.name }),
    });
  }

  /**
   * Runs the steps in order and returns ctx.
   *
   * Whether it succeeded is `ctx._failedAt === undefined`. Running it again in the same directory
   * goes on: after a finished run every step speaks again in its session, after an unfinished one
   * what had passed stays passed and the cut step goes on where it broke.
   *
   * @throws FlowerError `busy` when this flow runs here already, `resume-from-missing`,
   *   `workflow-invalid`; what a gate throws other than `StepAbort`.
   */
  run(runtime: Runtime, options: WorkflowRunOptions = {}): Promise<Values & ContextKeys> {
    return runWorkflow(this, runtime, options) as Promise<Values & ContextKeys>;
  }
}

function checkSteps(steps: readonly Step[], workflow: string): void {
  const earlier = new Set<string>();
  for (const { name, options } of steps) {
    const fault = nameFault(name, earlier) ?? resumeFault(name, options.resumeFrom, earlier);
    if (fault !== undefined) throw new FlowerError('workflow-invalid', { workflow, detail: fault });
    const { retries = 0 } = options;
    if (!Number.isSafeInteger(retries) || retries < 0) {
      const detail = `retries of step "${name}" is ${retries}; it must be a whole number from 0 on.`;
      throw new FlowerError('workflow-invalid', { workflow, detail });
    }
    earlier.add(name);
  }
}

function nameFault(name: string, earlier: ReadonlySet<string>): string | undefined {
  if (name === '') return 'a step has no name.';
  if (name.startsWith('_'))
    return `step "${name}" must not begin with "_": such keys are flower's.`;
  if (/[#·/]/.test(name)) return `step "${name}" must not hold "#", "·" or "/".`;
  if (earlier.has(name)) return `two steps are named "${name}".`;
  return undefined;
}

function resumeFault(
  name: string,
  resumeFrom: string | undefined,
  earlier: ReadonlySet<string>,
): string | undefined {
  if (resumeFrom === undefined || earlier.has(resumeFrom)) return undefined;
  return `step "${name}" resumes from "${resumeFrom}", which is no earlier step.`;
}
