import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandContext } from '../command-context.ts';

/** Exit code of a shell that does not find the program. */
const notFound = 127;
const pieceLength = 65_536;

/**
 * Shows lines: through `$PAGER` (`less` by default) on a terminal, as they are anywhere else.
 *
 * Leaving the pager early is no error. Without a pager the lines are printed.
 */
export async function pageLines(
  { host }: CommandContext,
  lines: () => Iterable<string>,
): Promise<void> {
  const pager = host.env['PAGER']?.trim() ?? 'less';
  const isPaged = host.stdout.isTTY === true && pager !== '' && pager !== 'cat';
  if (isPaged && (await runPager(pager, host.env, pieces(lines()))) !== notFound) return;
  for (const piece of pieces(lines())) host.stdout.write(piece);
}

async function runPager(
  pager: string,
  env: Readonly<Record<string, string | undefined>>,
  text: Iterable<string>,
): Promise<number | null> {
  // Ctrl-C belongs to the pager.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const child = spawn('sh', ['-c', pager], {
      // Colours, one screen without paging, no clearing of the screen.
      env: { ...env, LESS: env['LESS'] ?? 'FRX' },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const ended = new Promise<number | null>((settle) => {
      child.once('close', settle);
      child.once('error', () => settle(notFound));
    });
    // The reader may leave before the end.
    await pipeline(Readable.from(text), child.stdin).catch(ignore);
    return await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}

function* pieces(lines: Iterable<string>): Generator<string, void, undefined> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
