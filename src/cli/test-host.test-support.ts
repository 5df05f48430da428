import { homedir } from 'node:os';
import type { Host } from './host.ts';

/** A process for tests, with what it printed. */
export interface TestHost extends Host {
  readonly printed: { stdout: string; stderr: string };
}

/** A host that keeps its output; no terminal, no environment, English. */
export function createTestHost(args: readonly string[], part: Partial<Host> = {}): TestHost {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof printed): Host['stdout'] => ({
    write: (text) => {
      printed[name] += text;
    },
  });
  return {
    args,
    env: {},
    directory: homedir(),
    platform: 'linux',
    stdin: standardInput(''),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    printed,
    ...part,
  };
}

/** Standard input that holds a text. */
async function* standardInput(text: string): AsyncGenerator<string> {
  yield text;
}
