import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
// One cache for all calls: each has a TMPDIR of its own, where it would be empty every time.
const fsCache = fileURLToPath(new URL('../../node_modules/.cache/jiti', import.meta.url));
const loader = `const { createJiti } = await import(${JSON.stringify(import.meta.resolve('jiti'))});
await createJiti(${JSON.stringify(bin)}, ${JSON.stringify({ fsCache })}).import(${JSON.stringify(bin)});`;

/** How a call of the command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `flower <args>` from the sources, with this environment alone, to its end. */
export function flower(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<CommandEnd> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', loader, '--', 'flower', ...args],
    {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
