import type { RunDatabase } from './run-database.ts';
import { isDiskTrouble } from './sqlite-errors.ts';

/**
 * Writes that a run can do without for a while: when the disk does not take them, the run goes on
 * and they are tried again with the next write.
 *
 * Trouble with the disk (full, read-only, locked, damaged) is told once until a write succeeds
 * again. Any other error is the caller's.
 */
export class WriteBacklog {
  readonly #database: RunDatabase;
  readonly #onTrouble: (error: unknown) => void;
  readonly #pending = new Map<string, () => void>();
  #isInTrouble = false;

  /** @param onTrouble - Told once an outage; must not throw. */
  constructor(database: RunDatabase, onTrouble: (error: unknown) => void) {
    this.#database = database;
    this.#onTrouble = onTrouble;
  }

  /**
   * Does `work` in one transaction with everything that is still due, in order; `false` when that
   * could not be written and stays due. Work that is due under the same name is replaced. Inside a
   * transaction it is part of that one, which answers for it.
   */
  keep(name: string, work: () => void): boolean {
    if (this.#database.connection.inTransaction) {
      work();
      return true;
    }
    this.#pending.delete(name);
    this.#pending.set(name, work);
    return this.flush();
  }

  /** Does `work` in one transaction, once; `false` when it could not be written. */
  try(work: () => void): boolean {
    try {
      this.#database.immediate(work);
    } catch (error) {
      this.report(error);
      return false;
    }
    this.#isInTrouble = false;
    return true;
  }

  /** Writes what is due; `false` when that was not possible. */
  flush(): boolean {
    if (this.#pending.size === 0) return true;
    const works = [...this.#pending.values()];
    try {
      if (!this.try(() => works.forEach((work) => work()))) return false;
      this.#pending.clear();
      return true;
    } catch (error) {
      // Whatever is wrong with them, they would be wrong the next time too.
      this.#pending.clear();
      throw error;
    }
  }

  /** Tells of trouble with the disk; throws any other error. */
  report(error: unknown): void {
    if (!isDiskTrouble(error)) throw error;
    if (this.#isInTrouble) return;
    this.#isInTrouble = true;
    this.#onTrouble(error);
  }
}
