import { type AgentSpec, defaultAllowedTools } from '../claude/agent-spec.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { FlowerEvent } from '../events/event.ts';
import type { RunOptions } from '../runtime/run-options.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { StepResult } from '../runtime/step-result.ts';
import type { CommandContext } from './command-context.ts';
import type { OnceCommandOptions } from './commands/once.ts';
import { exitCodeOfFailure, exitCodes } from './exit-codes.ts';
import { promptText } from './prompt-text.ts';
import { type RunSession, withRunSession } from './run-session.ts';
import { sanitize } from './terminal/sanitize.ts';

/**
 * Body of `flower once`: one agent, no workflow, no lineage.
 *
 * The answer, and nothing else, goes to standard output; nothing goes there when the agent failed.
 */
export async function runOnce(
  context: CommandContext,
  argument: string,
  options: OnceCommandOptions,
): Promise<number> {
  const prompt = await promptText(argument, context);
  const hides = isShownTwice(context) ? isProse : () => false;
  return withRunSession(context, { ...options, hides }, async (session) => {
    const { runtime, view, signal } = session;
    await assertSession(runtime, options.resume);
    const result = await runtime.run(onceSpec(options), prompt, onceRun(options, signal));
    view.end();
    summarise(context, session, result);
    if (!result.ok) return exitCodeOfFailure(result);
    if (context.globals.json !== true) writeAnswer(context, result.text);
    return exitCodes.done;
  });
}

/** On one terminal the answer would stand there twice: as it is said, and as the result. */
function isShownTwice({ host, globals }: CommandContext): boolean {
  return host.stdout.isTTY === true && host.stderr.isTTY === true && globals.json !== true;
}

function isProse(event: FlowerEvent): boolean {
  return event.type === 'text' && event.subagent === undefined;
}

/** An unknown id is a mistake in the call: nothing is started, nothing is tried again. */
async function assertSession(runtime: Runtime, session: string | undefined): Promise<void> {
  if (session === undefined || (await runtime.hasSession(session))) return;
  throw new FlowerError('session-unknown', { session, runDir: runtime.runDir });
}

function onceSpec(options: OnceCommandOptions): AgentSpec {
  return {
    name: 'ad-hoc',
    instructions: options.instructions ?? '',
    allowedTools: options.tools ?? defaultAllowedTools,
    permissionMode: options.permissionMode ?? 'default',
    ...(options.budget === undefined ? {} : { maxBudgetUsd: options.budget }),
  };
}

function onceRun(options: OnceCommandOptions, signal: AbortSignal): RunOptions<string> {
  return {
    stepName: 'once',
    signal,
    ...(options.resume === undefined ? {} : { resume: options.resume }),
    ...(options.fork === undefined ? {} : { fork: options.fork }),
    ...(options.at === undefined ? {} : { resumeAt: options.at }),
  };
}

/** An error is always told; cost, session and manifest unless `-q`. */
function summarise(
  context: CommandContext,
  { runtime, view }: RunSession,
  result: StepResult,
): void {
  const { view: texts, formats, status } = context.texts;
  if (!result.ok) view.say('bad', texts.stepFailed(result.error ?? ''), 'x ');
  if (context.globals.quiet === true) return;
  const figures = texts.stepDone(
    formats.money(result.costUsd),
    formats.duration(result.durationMs),
    formats.tokens(result.context),
  );
  if (result.ok) view.say('good', figures, '= ');
  const session = result.sessionId === null ? '' : `${status.columns.session}: ${result.sessionId}`;
  if (session !== '') view.say('dim', session, '  ');
  view.say('dim', texts.manifest(runtime.manifestPath), '  ');
}

/** A terminal gets spaces for tabs; a file or a pipe keeps them. */
function writeAnswer({ host }: CommandContext, text: string): void {
  const answer = sanitize(text, { keepTabs: host.stdout.isTTY !== true });
  host.stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`);
}
