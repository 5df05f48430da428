import { resolve } from 'node:path';
import { exportRun } from '../../runtime/transfer/export-run.ts';
import { importRun } from '../../runtime/transfer/import-run.ts';
import { secretValues } from '../../settings/redact.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonLine } from '../terminal/json-view.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import { commandEnvironment, commandPlace, printLines } from './command-place.ts';

/** Body of `flower export`: writes the whole run as one file. */
export async function exportCommand(
  context: CommandContext,
  file: string,
  options: { readonly withSecrets?: boolean },
): Promise<number> {
  const { host, texts, globals } = context;
  const env = commandEnvironment(context);
  const report = await exportRun({
    ...commandPlace(context),
    file: resolve(host.directory, file),
    secrets: options.withSecrets === true ? undefined : secretValues(env),
    env,
  });
  const { transfer } = texts.history;
  const lines = [
    transfer.exported(report.file, report.sessions, report.entries, report.files),
    report.redacted ? transfer.redacted : transfer.withSecrets,
  ];
  printLines(context, globals.json === true ? [jsonLine(report)] : lines.map(sanitizeLine));
  return exitCodes.done;
}

/** Body of `flower import`: makes an exported run the history of this directory. */
export async function importCommand(context: CommandContext, file: string): Promise<number> {
  const { host, texts, globals } = context;
  const report = await importRun({
    ...commandPlace(context),
    file: resolve(host.directory, file),
  });
  const { transfer } = texts.history;
  const lines = [
    transfer.imported(report.from, report.sessions, report.entries, report.files),
    transfer.place(report.workspace, report.runDir),
    ...(report.steps.length === 0 ? [] : [transfer.steps(report.steps.join(', '))]),
  ];
  printLines(context, globals.json === true ? [jsonLine(report)] : lines.map(sanitizeLine));
  return exitCodes.done;
}
