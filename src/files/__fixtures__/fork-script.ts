import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A script of a test in a real process of its own. */
export interface ForkedScript {
  readonly pid: number;
  /** The next message of the script; rejects when it ends first. */
  next(): Promise<unknown>;
  send(message: string): void;
  /** Ends it without a chance to tidy up, and waits until it is gone. */
  kill9(): Promise<void>;
  /** Waits for its end; rejects unless the exit code is 0. */
  finished(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts `run(...args)` of a TypeScript file as a child process with a message channel. */
export function forkScript(script: URL, ...args: readonly string[]): ForkedScript {
  const runner = fileURLToPath(new URL('./child.mjs', import.meta.url));
  const child = fork(runner, [fileURLToPath(script), ...args], {
    execArgv: [],
    env: { ...process.env, CHILD_CACHE: join(homedir(), 'child-cache') },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(child);
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const closed = once(child, 'close').then(() => {
    running.delete(child);
  });
  const ended = new AbortController();
  const messages = on(child, 'message', { signal: ended.signal });
  void closed.then(() => {
    ended.abort(new Error(`the script ended: ${complaints}`));
  });
  return {
    pid: child.pid ?? 0,
    next: async () => ((await messages.next()).value as unknown[])[0],
    send: (message) => {
      child.send(message);
    },
    kill9: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    finished: async () => {
      await closed;
      if (child.exitCode !== 0) throw new Error(`exit ${child.exitCode}: ${complaints}`);
    },
  };
}

/**
 * Starts the same script several times and waits until each has sent its first message.
 *
 * The first goes ahead of the others: it compiles what all of them then find in the cache.
 */
export async function forkReadyScripts(
  script: URL,
  argumentLists: readonly (readonly string[])[],
): Promise<{ readonly children: ForkedScript[]; readonly messages: unknown[] }> {
  const children: ForkedScript[] = [];
  const messages: unknown[] = [];
  const [first = [], ...others] = argumentLists;
  const leader = forkScript(script, ...first);
  children.push(leader);
  messages.push(await leader.next());
  children.push(...others.map((list) => forkScript(script, ...list)));
  messages.push(...(await Promise.all(children.slice(1).map((child) => child.next()))));
  return { children, messages };
}

/** Ends what a failed test left running. */
export function endForkedScripts(): void {
  for (const child of running) child.kill('SIGKILL');
}
