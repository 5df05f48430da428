import type { EventConsumer, FlowerEvent } from '../events/event.ts';
import { Runtime } from '../runtime/runtime.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { reportError } from './report-error.ts';
import { createJsonView } from './terminal/json-view.ts';
import type { Verbosity } from './terminal/record-of.ts';
import { terminalFeatures } from './terminal/terminal-features.ts';
import { createView, type View } from './terminal/view.ts';

/** What a command that runs agents adds to the runtime and to its view. */
export interface AgentOptions {
  readonly model?: string;
  readonly projectSettings?: boolean;
  /** Events that the view leaves out. @defaultValue none */
  readonly hides?: (event: FlowerEvent) => boolean;
}

/** A runtime with its views and the watch over signals. */
export interface RunSession {
  readonly runtime: Runtime;
  readonly view: View;
  readonly signal: AbortSignal;
}

/**
 * Opens a runtime, shows its events, and lets `work` run with it; afterwards everything is closed.
 *
 * @returns The exit code of `work`; 130 when the person stopped it.
 * @throws FlowerError of the runtime's construction, and what `work` throws.
 */
export async function withRunSession(
  context: CommandContext,
  options: AgentOptions,
  work: (session: RunSession) => Promise<number>,
): Promise<number> {
  const view = createView({
    stream: context.host.stderr,
    features: terminalFeatures(context.host.stderr, context.host.env),
    texts: context.texts,
    verbosity: verbosityOf(context),
  });
  const runtime = openRuntime(context, options, consumers(context, options, view));
  const interrupts = watchSession(context, runtime, view);
  try {
    const exitCode = await work({ runtime, view, signal: interrupts.signal });
    return interrupts.signal.aborted ? exitCodes.interrupted : exitCode;
  } finally {
    view.end();
    await runtime.close();
    interrupts.stop();
  }
}

function openRuntime(
  { globals }: CommandContext,
  options: AgentOptions,
  onEvent: EventConsumer,
): Runtime {
  const { workspace = '.', runDir } = globals;
  return new Runtime({
    workspace,
    onEvent,
    ...(runDir === undefined ? {} : { runDir }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.projectSettings === undefined ? {} : { projectSettings: options.projectSettings }),
  });
}

function consumers(
  { globals, host }: CommandContext,
  { hides = () => false }: AgentOptions,
  view: View,
): EventConsumer {
  const print = globals.json === true ? createJsonView(host.stdout) : undefined;
  return (event: FlowerEvent) => {
    print?.(event);
    if (!hides(event)) view.consume(event);
  };
}

/** With `--json` on a terminal the events are what is watched; the view would only mix into them. */
function verbosityOf({ globals, host }: CommandContext): Verbosity {
  if (globals.quiet === true) return 'quiet';
  if (globals.json === true && host.stdout.isTTY === true) return 'quiet';
  return verboseOrNormal(globals);
}

function verboseOrNormal(globals: GlobalOptions): Verbosity {
  return globals.verbose === true ? 'verbose' : 'normal';
}

function watchSession(context: CommandContext, runtime: Runtime, view: View): Interrupts {
  const { host, texts, globals } = context;
  return watchInterrupts({
    onFirst: () => view.say('strong', texts.process.stopping),
    rescue: () => {
      view.end();
      runtime.rescue();
    },
    onUncaught: (error) => {
      view.end();
      return reportError(error, { stderr: host.stderr, texts, debug: globals.debug === true });
    },
  });
}
