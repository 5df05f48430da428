import { parseArgs } from 'node:util';
import { measureStore } from './append.ts';
import { measureCommandLine } from './command-line.ts';
import { measureEarlyStart } from './early-start.ts';
import { measureFlatness } from './flatness.ts';
import { measureGrowth } from './growth.ts';
import { measureLoad } from './load.ts';
import { describeMachine } from './machine.ts';
import { printReport, type Row } from './report.ts';
import { measureResume } from './resume.ts';
import { measureStepOverhead } from './step-overhead.ts';
import { measureWakeLine } from './wake-line.ts';

const help = `npm run bench -- [--quick] [--json] [--only <name>]...

  --quick  smaller sizes, under a minute on a quiet machine
  --json   one JSON object on standard output instead of the table
  --only   one measurement alone; may be repeated: step, flatness, store, growth, load,
           cli, wake-line, early-start, resume`;

interface Sizes {
  readonly pairs: number;
  readonly flatSteps: number;
  readonly appends: number;
  readonly storeRows: number;
  readonly cliRounds: number;
  readonly earlyRounds: number;
  readonly earlySteps: number;
  readonly resumeRounds: number;
  readonly growthRows: number;
  readonly loadMegabytes: number;
  readonly loadRounds: number;
  readonly wakeMegabytes: number;
  readonly wakeRounds: number;
}

const fullSizes: Sizes = {
  pairs: 12,
  flatSteps: 10_000,
  appends: 2_000,
  storeRows: 50_000,
  cliRounds: 15,
  earlyRounds: 3,
  earlySteps: 6,
  resumeRounds: 3,
  growthRows: 1_000_000,
  loadMegabytes: 100,
  loadRounds: 5,
  wakeMegabytes: 500,
  wakeRounds: 7,
};

const quickSizes: Sizes = {
  pairs: 4,
  flatSteps: 1_000,
  appends: 500,
  storeRows: 5_000,
  cliRounds: 5,
  earlyRounds: 1,
  earlySteps: 4,
  resumeRounds: 1,
  growthRows: 10_000,
  loadMegabytes: 10,
  loadRounds: 1,
  wakeMegabytes: 25,
  wakeRounds: 2,
};

const measurements: Readonly<Record<string, (sizes: Sizes) => Promise<Row[]>>> = {
  step: ({ pairs }) => measureStepOverhead(pairs),
  flatness: ({ flatSteps }) => measureFlatness(flatSteps),
  store: ({ appends, storeRows }) => measureStore({ appends, rows: storeRows }),
  growth: ({ growthRows }) => measureGrowth(growthRows),
  load: ({ loadMegabytes, loadRounds }) => measureLoad(loadMegabytes, loadRounds),
  cli: ({ cliRounds }) => measureCommandLine(cliRounds),
  'wake-line': ({ wakeMegabytes, wakeRounds }) => measureWakeLine(wakeMegabytes, wakeRounds),
  'early-start': ({ earlyRounds, earlySteps }) => measureEarlyStart(earlyRounds, earlySteps),
  resume: ({ resumeRounds }) => measureResume(resumeRounds),
};

/**
 * Runs the benchmarks and prints the report; progress goes to standard error.
 *
 * @returns the exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only ?? Object.keys(measurements);
  const unknown = names.filter((name) => measurements[name] === undefined);
  if (values.help || unknown.length > 0) {
    process.stderr.write(`${help}\n`);
    return values.help ? 0 : 2;
  }
  const machine = describeMachine();
  const rows: Row[] = [];
  for (const name of names) {
    const startMs = performance.now();
    rows.push(...((await measurements[name]?.(values.quick ? quickSizes : fullSizes)) ?? []));
    const seconds = (performance.now() - startMs) / 1_000;
    process.stderr.write(`${name}: ${seconds.toFixed(1)} s\n`);
  }
  const report = { machine, rows };
  process.stdout.write(`${values.json ? JSON.stringify(report) : printReport(report)}\n`);
  return 0;
}
