import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './report.ts';
import { median, spread } from './statistics.ts';

const group = 'command line, against node -e 0';
const binPath = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));

interface CommandTime {
  readonly firstLineMs: number;
  readonly endMs: number;
}

/** What the command line costs before it does anything. */
export async function measureCommandLine(rounds: number): Promise<Row[]> {
  const node: number[] = [];
  const help: CommandTime[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await runNode(['-e', '0']);
    const flower = await runNode([binPath, '--help']);
    // The first round warms the file cache.
    if (round === 0) continue;
    node.push(bare.endMs);
    help.push(flower);
  }
  const rowOf = (name: string, values: readonly number[]): Row => ({
    group,
    name,
    value: median(values),
    unit: 'ms',
    reference: { name: 'node -e 0', value: median(node) },
    spread: spread(values),
    samples: values.length,
  });
  const ends = help.map(({ endMs }) => endMs);
  return [
    rowOf(
      'flower --help: first line',
      help.map(({ firstLineMs }) => firstLineMs),
    ),
    rowOf('flower --help: end', ends),
    {
      group,
      name: 'flower --help: above node -e 0',
      value: median(ends.map((value, index) => value - (node[index] ?? Number.NaN))),
      unit: 'ms',
      samples: ends.length,
    },
  ];
}

async function runNode(args: readonly string[]): Promise<CommandTime> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let firstLineMs = Number.NaN;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      if (Number.isNaN(firstLineMs) && chunk.includes('\n')) {
        firstLineMs = performance.now() - startMs;
      }
    });
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`node ${args.join(' ')} ended with ${exitCode}.`);
  return { firstLineMs, endMs: performance.now() - startMs };
}
