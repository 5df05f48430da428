import { readStatus } from '../runtime/status.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { statusLines } from './status-text.ts';
import { jsonLine } from './terminal/json-view.ts';

/** Body of `flower status`: shows what would continue. Creates nothing and calls no model. */
export async function showStatus({ host, texts, globals }: CommandContext): Promise<number> {
  const { workspace = '.', runDir } = globals;
  const status = await readStatus({ workspace, ...(runDir === undefined ? {} : { runDir }) });
  const lines = globals.json === true ? [jsonLine(status)] : statusLines(status, texts);
  host.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return exitCodes.done;
}
