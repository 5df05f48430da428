import { type Query, query, startup } from '@anthropic-ai/claude-agent-sdk';
import {
  createTestHome,
  startScriptedApi,
  type TestHome,
  toolReply,
} from '../src/testing/index.ts';
import { bareOptions } from './bare-session.ts';
import type { Row } from './report.ts';
import { differences, median, spread } from './statistics.ts';

/**
 * What it would give to start the next step's process while the current step runs (`startup()` of
 * the SDK), for one-tool steps in sessions of their own, without flower.
 */
export async function measureEarlyStart(rounds: number, stepsPerRound: number): Promise<Row[]> {
  const api = await startScriptedApi({
    script: (request) => {
      if (request.toolResults.length > 0) return 'Done.';
      const path = /Read (\S+)\./.exec(request.lastUserText)?.[1] ?? '';
      return toolReply({ name: 'Read', input: { file_path: path } });
    },
  });
  const home = await createTestHome({ api, files: { notes: 'alpha\n' } });
  const plainMs: number[] = [];
  const earlyMs: number[] = [];
  try {
    await runPlain(home, 1);
    for (let round = 0; round < rounds; round += 1) {
      plainMs.push((await runPlain(home, stepsPerRound)) / stepsPerRound);
      earlyMs.push((await runEarly(home, stepsPerRound)) / stepsPerRound);
    }
  } finally {
    await api.close();
    await home.dispose();
  }
  const saved = differences(plainMs, earlyMs);
  const group = `next process started early (startup), bare SDK, ${stepsPerRound} one-tool steps`;
  return [
    {
      group,
      name: 'step to step',
      value: median(earlyMs),
      unit: 'ms',
      reference: { name: 'without', value: median(plainMs) },
      spread: spread(earlyMs),
      samples: rounds,
    },
    {
      group,
      name: 'saved for each step',
      value: median(saved),
      unit: 'ms',
      spread: spread(saved),
      samples: rounds,
    },
  ];
}

async function runPlain(home: TestHome, steps: number): Promise<number> {
  const startMs = performance.now();
  for (let step = 0; step < steps; step += 1) {
    await toEnd(query({ prompt: promptOf(home), options: optionsOf(home) }));
  }
  return performance.now() - startMs;
}

/** One spare process at most, made when the step before it has begun. */
async function runEarly(home: TestHome, steps: number): Promise<number> {
  const startMs = performance.now();
  let spare = startup({ options: optionsOf(home) });
  for (let step = 0; step < steps; step += 1) {
    const session = (await spare).query(promptOf(home));
    if (step < steps - 1) spare = startup({ options: optionsOf(home) });
    await toEnd(session);
  }
  return performance.now() - startMs;
}

function promptOf({ workspace }: TestHome): string {
  return `Read ${workspace}/notes.`;
}

function optionsOf(home: TestHome): ReturnType<typeof bareOptions> {
  const { workspace, env } = home;
  return bareOptions({ prompt: promptOf(home), workspace, env, tools: ['Read'] });
}

async function toEnd(session: Query): Promise<void> {
  for await (const message of session) {
    if (message.type === 'result' && message.is_error) throw new Error('The session failed.');
  }
}
