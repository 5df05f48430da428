import type { RunDatabase } from '../database/run-database.ts';
import { isDiskTrouble } from '../database/sqlite-errors.ts';
import { FlowerError } from '../errors/flower-error.ts';
import { announcePresence, isPresent, type ProcessPresence } from './process-presence.ts';

/** How often a holder shows that it runs, in milliseconds. */
const beatIntervalMs = 5_000;

/**
 * A holder that is stopped (SIGSTOP, a frozen container) and has not shown itself for this long
 * loses its leases to whoever asks, in milliseconds.
 */
const takeoverAfterMs = 15_000;

/** What the leases of one process share. */
export interface LeasesOptions {
  readonly database: RunDatabase;
  readonly runDir: string;
  /** Mark of this process. */
  readonly run: string;
  readonly host: { readonly pid: number; readonly start: string };
  readonly now: () => Date;
  /** True when that process is stopped and can do nothing until somebody wakes it. */
  readonly isStopped: (pid: number, start: string) => boolean;
  /** Called once, when another process took over a lease of ours. */
  readonly onLost: (name: string) => void;
}

/** A lease in our hands. */
export interface Lease {
  readonly name: string;
  /** Counts the holders of this lease: an older one may write nothing any more. */
  readonly generation: number;
  /** Mark of a stopped process that this lease was taken from. */
  readonly takenFrom: string | undefined;
  release(): void;
}

/** Who has a lease. */
export interface LeaseRefusal {
  readonly holder: { readonly pid: number; readonly since: string };
}

interface LeaseRow {
  readonly generation: number;
  readonly run: string | null;
  readonly pid: number;
  readonly pidStart: string;
  readonly since: string;
  readonly beatAt: number;
}

/**
 * One writer for each flow and each session.
 *
 * A lease is a row with a generation; it counts as long as its process lives, which an
 * operating-system lock tells. Every transaction of this process checks that its leases still have
 * their generation, so a process that was stopped, lost a lease and wakes again can write nothing.
 */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, number>();
  #presence: ProcessPresence | undefined;
  #timer: NodeJS.Timeout | undefined;
  #removeGuard: (() => void) | undefined;
  #lost: string | undefined;
  #find: ReturnType<typeof prepareFind> | undefined;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /**
   * Takes a lease, without waiting; every process sees it when it returns. A power cut ends all
   * holders, so leases do not wait for the disk.
   */
  acquire(name: string): Lease | LeaseRefusal {
    this.#begin();
    const { database } = this.#options;
    const lease = database.relaxed(() => database.immediate(() => this.#take(name)));
    // Held once it is written: the disk may have refused it.
    if ('generation' in lease) this.#held.set(name, lease.generation);
    return lease;
  }

  #take(name: string): Lease | LeaseRefusal {
    const row = this.#read(name);
    if (row?.run != null && !this.#isFree(name, row, row.run)) {
      return { holder: { pid: row.pid, since: row.since } };
    }
    const generation = (row?.generation ?? 0) + 1;
    this.#write(name, generation);
    const takenFrom =
      row?.run != null && isPresent(this.#options.runDir, row.run) ? row.run : undefined;
    return { name, generation, takenFrom, release: () => this.#release(name, generation) };
  }

  /** Another living process that holds anything in this run directory. */
  otherHolder(): LeaseRefusal['holder'] | undefined {
    return this.#options.database.connection
      .prepare<[string], { run: string; pid: number; since: string }>(
        'SELECT run, pid, since FROM leases WHERE run IS NOT NULL AND run <> ? ORDER BY since',
      )
      .all(this.#options.run)
      .find(({ run }) => isPresent(this.#options.runDir, run));
  }

  /** Gives everything back. */
  close(): void {
    clearInterval(this.#timer);
    this.#removeGuard?.();
    for (const [name, generation] of this.#held) this.#clear(name, generation);
    this.#held.clear();
    this.#presence?.end();
    this.#presence = undefined;
  }

  /** First use: the process becomes known, and every later write is fenced. */
  #begin(): void {
    if (this.#presence !== undefined) return;
    const { database, runDir, run, host, now } = this.#options;
    this.#presence = announcePresence(runDir, run, {
      pid: host.pid,
      since: now().toISOString(),
    });
    this.#removeGuard = database.addGuard(() => this.#check());
    this.#timer = setInterval(() => this.#beat(), beatIntervalMs);
    this.#timer.unref();
  }

  #isFree(name: string, row: LeaseRow, run: string): boolean {
    // One that is not held any more could not be given back: the disk refused it.
    if (run === this.#options.run) return !this.#held.has(name);
    if (!isPresent(this.#options.runDir, run)) return true;
    const silentMs = this.#options.now().getTime() - row.beatAt;
    return silentMs > takeoverAfterMs && this.#options.isStopped(row.pid, row.pidStart);
  }

  /** Inside every write transaction of this process. */
  #check(): void {
    for (const [name, generation] of this.#held) {
      if (this.#lost === undefined && this.#read(name)?.generation === generation) continue;
      this.#lose(name);
      throw new FlowerError('lease-lost', { what: this.#lost ?? name });
    }
  }

  #lose(name: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = name;
    // Not inside the transaction: whoever is told may want to write.
    setImmediate(() => this.#options.onLost(name));
  }

  #beat(): void {
    try {
      const { database, now, run } = this.#options;
      database.relaxed(() =>
        database.immediate(() => {
          database.connection
            .prepare('UPDATE leases SET beat_at = ? WHERE run = ?')
            .run(now().getTime(), run);
        }),
      );
    } catch {
      // A lost lease was told by the check; a busy database shows a beat later.
    }
  }

  #release(name: string, generation: number): void {
    if (this.#held.get(name) !== generation) return;
    this.#held.delete(name);
    this.#clear(name, generation);
  }

  /** A row that cannot be written counts as long as this process lives, and no longer. */
  #clear(name: string, generation: number): void {
    try {
      const { database } = this.#options;
      database.relaxed(() =>
        database.connection
          .prepare('UPDATE leases SET run = NULL WHERE name = ? AND generation = ?')
          .run(name, generation),
      );
    } catch (error) {
      if (!isDiskTrouble(error)) throw error;
    }
  }

  #read(name: string): LeaseRow | undefined {
    // Asked for every lease in every transaction: compiled once.
    this.#find ??= prepareFind(this.#options.database);
    return this.#find.get(name);
  }

  #write(name: string, generation: number): void {
    const { database, run, host, now } = this.#options;
    database.connection
      .prepare(
        `INSERT INTO leases (name, generation, run, pid, pid_start, since, beat_at)
           VALUES (@name, @generation, @run, @pid, @start, @since, @beatAt)
           ON CONFLICT (name) DO UPDATE SET generation = @generation, run = @run, pid = @pid,
             pid_start = @start, since = @since, beat_at = @beatAt`,
      )
      .run({
        name,
        generation,
        run,
        pid: host.pid,
        start: host.start,
        since: now().toISOString(),
        beatAt: now().getTime(),
      });
  }
}

function prepareFind({ connection }: RunDatabase) {
  return connection.prepare<[string], LeaseRow>(
    `SELECT generation, run, pid, pid_start AS pidStart, since, beat_at AS beatAt
       FROM leases WHERE name = ?`,
  );
}
