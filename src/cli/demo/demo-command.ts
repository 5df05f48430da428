import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markVariable } from '../../claude/process-list.ts';
import type { DemoProject } from './demo-project.ts';

/** A `flower` command that the demo started, in a process group of its own. */
export interface DemoCommand {
  readonly pid: number;
  /** Exit code; `null` when a signal ended it. Never rejects. */
  readonly ended: Promise<number | null>;
  /** What it printed on standard output so far. */
  output(): string;
  /** SIGKILL to this one process, nothing else. */
  kill(): void;
}

/** The command itself, as it is built and published. */
const bin = fileURLToPath(new URL('../bin.js', import.meta.url));

/**
 * Starts `flower <args>` in the project's folder with the project's environment alone.
 *
 * What it prints goes to `<name>.out` and `<name>.err` in the demo's folder.
 */
export function startCommand(options: {
  readonly name: string;
  readonly args: readonly string[];
  readonly mark: string;
  readonly project: DemoProject;
}): DemoCommand {
  const { name, args, mark, project } = options;
  const outPath = join(project.folder, `${name}.out`);
  const out = openSync(outPath, 'w');
  const err = openSync(join(project.folder, `${name}.err`), 'w');
  // A group of its own: Ctrl-C on the demo must not be mixed into what the command does.
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: project.workspace,
    detached: true,
    env: { ...project.env, [markVariable]: mark },
    stdio: ['ignore', out, err],
  });
  closeSync(out);
  closeSync(err);
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  if (child.pid === undefined) throw new Error(`${process.execPath} could not be started.`);
  return {
    pid: child.pid,
    ended,
    output: () => readFileSync(outPath, 'utf8'),
    kill: () => void child.kill('SIGKILL'),
  };
}
