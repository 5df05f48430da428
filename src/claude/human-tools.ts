import type { RunDatabase } from '../database/run-database.ts';
import type { FlowerEventBody } from '../events/event.ts';
import type { Clock } from '../resilience/clock.ts';

/** What an agent may use to reach the person. */
export type HumanTool = 'ask' | 'inbox';

/** The agent run that questions and remarks belong to. */
export interface HumanScope {
  readonly database: RunDatabase;
  readonly emit: (event: FlowerEventBody) => void;
  readonly clock: Clock;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Process mark. */
  readonly run: string;
  readonly step: string;
  readonly label: string;
  readonly sessionId: string;
}

/** A question of the agent. */
export interface HumanQuestion {
  readonly toolUseId: string;
  readonly question: string;
  readonly options: readonly string[];
  /** Aborted when the agent ends or the call is cut. */
  readonly signal: AbortSignal;
}

/** The person, as one agent run reaches them. */
export interface HumanTools {
  /** Waits for the answer; resolves with the text of the tool's result, whatever the outcome. */
  ask(question: HumanQuestion): Promise<string>;
  /** Takes the remarks that wait; the text of the tool's result. */
  inbox(): string;
  /**
   * Takes the remarks that wait, to be put behind a result of the main thread or before the end of
   * its turn; `undefined`: none.
   */
  takeRemarks(): string | undefined;
}

/** Given to an agent by its spec; opened once for each of its runs. */
export interface HumanAccess {
  readonly offers: readonly HumanTool[];
  open(scope: HumanScope): HumanTools;
}
