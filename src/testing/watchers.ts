import { FlowerError } from '../errors/flower-error.ts';

interface Watcher {
  /** Settles the promise if it can be settled now. */
  readonly look: () => boolean;
  readonly fail: (detail: string) => void;
}

/** Promises that wait until something is true, looked at again after each change. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /**
   * Resolves with the first defined value of `look`.
   *
   * @param detail - Says what did not happen; called when the time is over.
   * @throws FlowerError `script-mismatch` after `timeoutMs`, or when everything is ended; what
   * `look` throws rejects too.
   */
  until<T>(look: () => T | undefined, timeoutMs: number, detail: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(watcher);
        settle();
      };
      const fail = (text: string): void =>
        finish(() => reject(new FlowerError('script-mismatch', { detail: text })));
      const watcher: Watcher = { look: () => this.#settle(look, finish, resolve, reject), fail };
      const timer = setTimeout(() => fail(detail()), timeoutMs);
      if (!watcher.look()) this.#watchers.add(watcher);
    });
  }

  /** Looks again for everybody. */
  notify(): void {
    for (const watcher of [...this.#watchers]) watcher.look();
  }

  /** Rejects everybody. */
  end(detail: string): void {
    for (const watcher of [...this.#watchers]) watcher.fail(detail);
  }

  #settle<T>(
    look: () => T | undefined,
    finish: (settle: () => void) => void,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ): boolean {
    try {
      const value = look();
      if (value === undefined) return false;
      finish(() => resolve(value));
    } catch (error) {
      finish(() => reject(error));
    }
    return true;
  }
}
