import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a call of the command ended. */
export interface BuiltEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A call of the command as it is built and published. */
export interface BuiltCall {
  /** What it has printed so far. */
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<BuiltEnd>;
  kill(signal: NodeJS.Signals): void;
}

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

/** Runs `flower <args>` from dist/, with this environment alone and no standard input. */
export function builtFlower(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): BuiltCall {
  const child = spawn(process.execPath, [bin, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  return {
    printed,
    ended: new Promise((resolve) => {
      child.once('close', (exitCode) => resolve({ exitCode, ...printed }));
    }),
    kill: (signal) => void child.kill(signal),
  };
}
