import { type ChildProcess, spawn } from 'node:child_process';

import { watcherScript } from './watcher-script.ts';

/**
 * Ends the agents of this process when this process dies, however it dies.
 *
 * One watcher serves all agents of a host. Calls after {@link Watcher.stop} do nothing.
 */
export interface Watcher {
  /** Pid of the watcher's shell; `undefined` when it could not be started or was stopped. */
  readonly pid: number | undefined;
  /**
   * Takes a running agent under watch.
   *
   * @throws TypeError when `mark` holds anything but letters, digits, `.`, `_` and `-`.
   */
  add(pid: number, mark: string): void;
  /** Forgets an agent; call it after its tree has ended. */
  remove(pid: number): void;
  /** Orderly end of the host: the watcher leaves without touching anything. */
  stop(): void;
}

/** How a watcher is started. */
export interface WatcherOptions {
  /** @defaultValue `'sh'`, found on `PATH` */
  readonly shell?: readonly [string, ...string[]];
  /** Called when the watcher could not be kept alive: from then on a dead host leaves orphans. */
  readonly onLost?: (error: Error) => void;
  /** Where processes are read from; `ps` is used when it does not exist. @defaultValue `'/proc'` */
  readonly processDirectory?: string;
}

const restartLimit = 3;

/**
 * Starts the watcher of this process.
 *
 * It runs in a session of its own, so signals of the terminal do not reach it, holds no stream of
 * the host but a pipe, and does not keep the event loop alive. If somebody ends it, it is started
 * again, up to three times.
 */
export function startWatcher(options: WatcherOptions = {}): Watcher {
  return new ShellWatcher(options);
}

class ShellWatcher implements Watcher {
  readonly #options: WatcherOptions;
  readonly #agents = new Map<number, string>();
  #shell: ChildProcess | undefined;
  #restarts = 0;
  #stopped = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#start();
  }

  get pid(): number | undefined {
    return this.#stopped ? undefined : this.#shell?.pid;
  }

  add(pid: number, mark: string): void {
    if (!/^[\w.-]+$/.test(mark)) throw new TypeError(`Not a process mark: ${JSON.stringify(mark)}`);
    this.#agents.set(pid, mark);
    this.#send(`add ${pid} ${mark}`);
  }

  remove(pid: number): void {
    if (this.#agents.delete(pid)) this.#send(`remove ${pid}`);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#send('bye');
    this.#stopped = true;
    this.#shell?.stdin?.end();
  }

  #start(): void {
    const [command, ...args] = this.#options.shell ?? ['sh'];
    const directory = this.#options.processDirectory ?? '/proc';
    const shell = spawn(command, [...args, '-c', watcherScript, 'flower-watcher', directory], {
      cwd: '/',
      detached: true,
      // Nothing else: a mark that this process inherited would make the watcher a stray itself. The
      // level keeps bash from taking the pipe for a remote login and reading the user's start files.
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', SHLVL: '2' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell = shell;
    shell.on('error', (error) => this.#lost(error));
    shell.on('exit', (code) => this.#ended(code));
    shell.stdin?.on('error', () => undefined);
    shell.unref();
    unrefStream(shell.stdin);
    for (const [pid, mark] of this.#agents) this.#send(`add ${pid} ${mark}`);
  }

  #ended(code: number | null): void {
    if (this.#stopped) return;
    if (this.#restarts >= restartLimit) {
      this.#lost(new Error(`The watcher ended again and again, last with code ${code}.`));
      return;
    }
    this.#restarts += 1;
    this.#start();
  }

  #lost(error: Error): void {
    if (!this.#stopped) this.#options.onLost?.(error);
  }

  #send(line: string): void {
    const input = this.#shell?.stdin;
    if (this.#stopped || !input?.writable) return;
    input.write(`${line}\n`);
  }
}

function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null || !('unref' in stream)) return;
  if (typeof stream.unref === 'function') stream.unref();
}
