import type { CommandContext } from '../command-context.ts';
import type { LineStyle } from '../terminal/record-line.ts';
import { type OutputStream, terminalFeatures } from '../terminal/terminal-features.ts';
import { createView } from '../terminal/view.ts';
import { runArguments } from './cut-first-run.ts';
import { type DemoCheck, demoChecks } from './demo-checks.ts';
import type { DemoFacts, DemoFault } from './demo-facts.ts';
import type { DemoProject } from './demo-project.ts';
import type { DemoListener } from './play-demo.ts';

/** Tells a person what happens and what came out. */
export interface Teller {
  listenTo(project: DemoProject): DemoListener;
  /** Every claim with its numbers, then the sum of it. */
  verdict(facts: DemoFacts, checks: Readonly<Record<DemoCheck, boolean>>): void;
  fault(fault: DemoFault, folder: string): void;
  stopping(): void;
}

type Say = (style: LineStyle, text: string) => void;

/**
 * The teller of one demo.
 *
 * The story goes to standard output; `--json` and `-q` leave it out. What went wrong goes to
 * standard error in any case. Everything is made safe for a terminal on the way.
 */
export function createTeller(context: CommandContext): Teller {
  const { host, texts, globals } = context;
  const { demo, formats } = texts;
  const isSilent = globals.json === true || globals.quiet === true;
  const say: Say = isSilent ? () => undefined : sayTo(host.stdout, context);
  const complain = sayTo(host.stderr, context);
  return {
    listenTo: (project) => listener(project, context, say),
    verdict: (facts, checks) => {
      say('strong', `\n${demo.claims}`);
      for (const check of demoChecks) {
        const text = demo.checks[check](facts);
        if (checks[check]) say('good', `  ${demo.holds}  ${text}`);
        else complain('bad', `  ${demo.fails}  ${text}`);
      }
      const failed = demoChecks.filter((check) => !checks[check]).length;
      say('dim', `\n${demo.place(facts.folder)}`);
      if (failed > 0) complain('bad', demo.failed(failed, demoChecks.length));
      else say('strong', demo.done(demoChecks.length, formats.duration(facts.durationMs)));
    },
    fault: (fault, folder) => {
      complain('bad', demo.faults[fault]);
      complain('dim', demo.place(folder));
    },
    stopping: () => complain('strong', texts.process.stopping),
  };
}

function listener(
  { folder }: DemoProject,
  { texts: { demo } }: CommandContext,
  say: Say,
): DemoListener {
  return {
    onStart: () => {
      say('plain', demo.intro);
      say('dim', demo.project(folder));
      say('strong', `\n$ flower ${runArguments.join(' ')}`);
    },
    onCut: ({ pid, processes, outcome, passed, unfinished, sessionId }) => {
      say('plain', `  ${demo.killed(pid, processes)}`);
      say('strong', '\n$ flower status');
      say(
        'plain',
        `  ${demo.status(outcome, passed.join(', '), unfinished.join(', '), sessionId)}`,
      );
    },
    onWake: () => {
      say('strong', `\n$ flower ${runArguments.join(' ')}`);
      say('plain', `  ${demo.waking}`);
    },
  };
}

function sayTo(stream: OutputStream, { host, texts }: CommandContext): Say {
  const features = terminalFeatures(stream, host.env);
  const view = createView({ stream, features, texts, verbosity: 'normal' });
  return (style, text) => view.say(style, text);
}
