import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { watchInterrupts } from '../interrupts.ts';
import { reportError } from '../report-error.ts';
import { jsonLine } from '../terminal/json-view.ts';
import { judgeDemo } from './demo-checks.ts';
import type { DemoFacts, DemoFault } from './demo-facts.ts';
import { DemoStage } from './demo-stage.ts';
import { playDemo } from './play-demo.ts';
import { createTeller, type Teller } from './teller.ts';

/**
 * Body of `flower demo`: a workflow of three steps on a scripted model, killed in the middle of the
 * second one and woken, in a new temporary project that stays.
 *
 * Reads no credential and no setting of this machine. With `--json` the facts are the one object on
 * standard output. Leaves no process, however it ends.
 *
 * @returns 0 when every claim holds, 1 when one does not, 130 when the person stopped it.
 */
export async function runDemo(context: CommandContext): Promise<number> {
  const teller = createTeller(context);
  let stage: DemoStage | undefined;
  const interrupts = watchInterrupts({
    onFirst: () => teller.stopping(),
    rescue: () => stage?.rescue(),
    onUncaught: (error) => tellUncaught(context, error),
  });
  try {
    stage = await DemoStage.open({
      language: context.texts.language,
      path: context.host.env['PATH'],
      signal: interrupts.signal,
    });
    const outcome = await playDemo(stage, teller.listenTo(stage.project));
    return typeof outcome === 'string'
      ? endWithFault(outcome, stage, teller)
      : endWithFacts(outcome, context, teller);
  } finally {
    await stage?.end();
    interrupts.stop();
  }
}

function endWithFault(fault: DemoFault, { project }: DemoStage, teller: Teller): number {
  teller.fault(fault, project.folder);
  return fault === 'stopped' ? exitCodes.interrupted : exitCodes.failed;
}

function endWithFacts(facts: DemoFacts, context: CommandContext, teller: Teller): number {
  const checks = judgeDemo(facts);
  const ok = Object.values(checks).every((holds) => holds);
  if (context.globals.json === true) {
    context.host.stdout.write(`${jsonLine({ ok, checks, ...facts })}\n`);
  }
  teller.verdict(facts, checks);
  return ok ? exitCodes.done : exitCodes.failed;
}

function tellUncaught({ host, texts, globals }: CommandContext, error: unknown): number {
  return reportError(error, { stderr: host.stderr, texts, debug: globals.debug === true });
}
