import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** How a call of plain Claude Code ended. */
export interface PlainEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The binary that the Agent SDK brings along for this machine. */
function binary(): string {
  const sdk = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const { platform, arch } = process;
  return join(dirname(sdk), '..', `claude-agent-sdk-${platform}-${arch}`, 'claude');
}

/** Runs `claude -p <prompt>` without flower, as a person would. */
export function plainClaude(
  prompt: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  flags: readonly string[] = [],
): Promise<PlainEnd> {
  const child = spawn(binary(), ['-p', prompt, ...flags], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...printed }));
  });
}
