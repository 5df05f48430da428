import type { CleanReport } from '../runtime/doctor/clean.ts';
import { clean } from '../runtime/doctor/clean.ts';
import { examine } from '../runtime/doctor/examine.ts';
import type { CommandContext } from './command-context.ts';
import type { DoctorCommandOptions } from './commands/doctor.ts';
import { cleanLines, reportLines } from './doctor-text.ts';
import { exitCodes } from './exit-codes.ts';
import { jsonLine } from './terminal/json-view.ts';

/**
 * Body of `flower doctor`: cleans first when it is asked to, then looks.
 *
 * @returns 0, or 1 while something is wrong.
 */
export async function runDoctor(
  { host, texts, globals }: CommandContext,
  options: DoctorCommandOptions,
): Promise<number> {
  const { workspace = '.', runDir } = globals;
  const place = { workspace, env: host.env, ...(runDir === undefined ? {} : { runDir }) };
  const cleaned =
    options.clean === true ? await clean({ ...place, ...limits(options) }) : undefined;
  const report = await examine(place);
  const lines =
    globals.json === true
      ? [jsonLine(cleaned === undefined ? report : { ...report, ...asJson(cleaned) })]
      : [
          ...(cleaned === undefined ? [] : cleanLines(cleaned, texts)),
          ...reportLines(report, texts),
        ];
  host.stdout.write(lines.map((line) => `${line}\n`).join(''));
  const isBad = report.findings.some(({ level }) => level === 'problem');
  return isBad ? exitCodes.failed : exitCodes.done;
}

function limits({ olderThan, largerThan, dryRun }: DoctorCommandOptions): {
  readonly olderThanMs?: number;
  readonly largerThanBytes?: number;
  readonly dryRun?: boolean;
} {
  return {
    ...(olderThan === undefined ? {} : { olderThanMs: olderThan }),
    ...(largerThan === undefined ? {} : { largerThanBytes: largerThan }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}

function asJson({ cleaned, dryRun }: CleanReport): Pick<CleanReport, 'cleaned' | 'dryRun'> {
  return { cleaned, dryRun };
}
