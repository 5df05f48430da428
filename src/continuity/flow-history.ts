import type { RunDatabase } from '../database/run-database.ts';
import { parseStepState, type StepState } from './step-state.ts';

/** How the last run of a flow ended; `none` when there was none in this history. */
export type PreviousRun = 'none' | 'finished' | 'unfinished';

/** Where a {@link FlowHistory} stands. */
export interface FlowHistoryOptions {
  readonly database: RunDatabase;
  /** Flow name; the unnamed flow is `''`. */
  readonly flow: string;
  /** Process mark of this run. */
  readonly run: string;
  /** History of the directory; states of an older one do not count. */
  readonly epoch: number;
}

interface RunRow {
  readonly chain: number;
  readonly outcome: string | null;
}

/**
 * What the runs of one flow reached, step by step.
 *
 * A run is finished when it returned without a failed step; everything else - killed, aborted,
 * failed - is unfinished. An unfinished run and those that continue it form a chain: only states of
 * the current chain say that a step is done. Every method is on disk when it returns.
 */
export class FlowHistory {
  readonly #options: FlowHistoryOptions;
  #runRow = 0;
  #chain = 0;

  constructor(options: FlowHistoryOptions) {
    this.#options = options;
  }

  /** Opens this run, in the chain of the last one when that was unfinished. */
  begin(): PreviousRun {
    const { database, flow, run, epoch } = this.#options;
    return database.immediate(() => {
      const last = this.#lastRun();
      const previous = outcomeOf(last);
      const { lastInsertRowid } = database.connection
        .prepare(
          'INSERT INTO flow_runs (epoch, flow, chain, run, started_at) VALUES (?, ?, ?, ?, ?)',
        )
        .run(epoch, flow, last?.chain ?? 0, run, new Date().toISOString());
      this.#runRow = Number(lastInsertRowid);
      this.#chain = last !== undefined && previous === 'unfinished' ? last.chain : this.#runRow;
      database.connection
        .prepare('UPDATE flow_runs SET chain = ? WHERE id = ?')
        .run(this.#chain, this.#runRow);
      return previous;
    });
  }

  /** Closes this run. */
  end(outcome: 'finished' | 'unfinished'): void {
    this.#options.database.connection
      .prepare('UPDATE flow_runs SET ended_at = ?, outcome = ? WHERE id = ?')
      .run(new Date().toISOString(), outcome, this.#runRow);
  }

  /** State of a step in the current chain. */
  state(step: string): StepState | undefined {
    const stored = this.#stored(step);
    return stored?.chain === this.#chain ? stored.state : undefined;
  }

  /** Last state of a step in any run of this history: earlier values to read back. */
  lastState(step: string): StepState | undefined {
    return this.#stored(step)?.state;
  }

  /** Notes how far a step got. */
  save(step: string, state: StepState): void {
    const { database, flow, epoch } = this.#options;
    database.connection
      .prepare(
        `INSERT INTO step_states (flow, step, epoch, chain, state) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (epoch, flow, step) DO UPDATE
           SET chain = excluded.chain, state = excluded.state`,
      )
      .run(flow, step, epoch, this.#chain, JSON.stringify(state));
  }

  /** Forgets how far a step got: it runs again. */
  forget(step: string): void {
    this.#options.database.connection
      .prepare('DELETE FROM step_states WHERE flow = ? AND step = ? AND epoch = ?')
      .run(this.#options.flow, step, this.#options.epoch);
  }

  #stored(step: string): { chain: number; state: StepState } | undefined {
    const { database, flow, epoch } = this.#options;
    const row = database.connection
      .prepare<[string, string, number], { chain: number; state: string }>(
        'SELECT chain, state FROM step_states WHERE flow = ? AND step = ? AND epoch = ?',
      )
      .get(flow, step, epoch);
    const state = row === undefined ? undefined : parseStepState(row.state);
    return row === undefined || state === undefined ? undefined : { chain: row.chain, state };
  }

  #lastRun(): RunRow | undefined {
    const { database, flow, epoch } = this.#options;
    return database.connection
      .prepare<[string, number], RunRow>(
        'SELECT chain, outcome FROM flow_runs WHERE flow = ? AND epoch = ? ORDER BY id DESC LIMIT 1',
      )
      .get(flow, epoch);
  }
}

function outcomeOf(run: RunRow | undefined): PreviousRun {
  if (run === undefined) return 'none';
  return run.outcome === 'finished' ? 'finished' : 'unfinished';
}
