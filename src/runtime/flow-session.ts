import { join } from 'node:path';
import { FlowHistory, type PreviousRun } from '../continuity/flow-history.ts';
import type { Lease } from '../continuity/leases.ts';
import { Lineage } from '../continuity/lineage.ts';
import type { StepState } from '../continuity/step-state.ts';
import type { SessionStanding } from '../claude/engine.ts';
import { projectKeyOf } from '../claude/project-key.ts';
import { type WakeFacts, wakeFacts, wakeFactsRows } from '../sessions/wake-facts.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { takeLease } from './take-lease.ts';

/** Which flow is run, and how it begins. */
export interface FlowOpening {
  /** Name of the flow; `undefined` for an unnamed one. */
  readonly flow: string | undefined;
  readonly workspace: string;
  /** Close the earlier history first. */
  readonly startOver: boolean;
  /** Take over the history of a workspace that was moved here. */
  readonly moved: boolean;
}

/**
 * The continuity of one flow in one run: its lease, its lineage and how far its steps got.
 *
 * One process at a time holds a flow of a run directory; different flows run side by side.
 */
export class FlowSession {
  readonly #parts: RuntimeParts;
  readonly #flow: string | undefined;
  readonly #lease: Lease;
  readonly #history: FlowHistory;
  #hasEnded = false;
  #isAbsenceKnown = false;
  readonly lineage: Lineage;
  /** Which waking of this directory this is, from 1. */
  readonly woke: number;
  /** How the flow's last run ended. */
  readonly previous: PreviousRun;

  private constructor(parts: RuntimeParts, opening: FlowOpening, lease: Lease) {
    this.#parts = parts;
    this.#flow = opening.flow;
    this.#lease = lease;
    this.lineage = openLineage(parts, opening);
    this.woke = this.lineage.bump();
    this.#history = new FlowHistory({
      database: parts.database,
      flow: opening.flow ?? '',
      run: parts.run,
      epoch: this.lineage.epoch,
    });
    this.previous = this.#history.begin();
  }

  /**
   * Takes the flow's lease, then counts the waking.
   *
   * @throws FlowerError `busy` when another process runs this flow in this directory.
   */
  static open(parts: RuntimeParts, opening: FlowOpening): FlowSession {
    const lease = takeLease(parts, `flow ${opening.flow ?? ''}`.trimEnd());
    try {
      return new FlowSession(parts, opening, lease);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** The step's session of earlier runs, if it still has records. */
  async liveSession(step: string): Promise<string | undefined> {
    const living = await this.#living(step);
    if (living === undefined) this.#noteAbsence(step, this.lineage.sessionOf(this.#key(step)));
    return living;
  }

  /** What going on in the step's session, or in the given one, will meet; says nothing. */
  async wakeFacts(
    step: string,
    session?: string | null,
  ): Promise<(WakeFacts & { readonly sessionId: string }) | undefined> {
    const sessionId = session ?? (await this.#living(step));
    if (sessionId === undefined || !(await this.#isLiving(sessionId))) return undefined;
    const { store, projectKey, clock } = this.#parts;
    const key = { projectKey, sessionId };
    const next = await store.nextSequence(key);
    const rows = await store.loadFrom(key, Math.max(0, next - wakeFactsRows));
    const entries = rows.map(({ entry }) => entry);
    return { sessionId, ...wakeFacts(entries, clock.now()) };
  }

  async #living(step: string): Promise<string | undefined> {
    const key = this.#key(step);
    for (const id of [this.lineage.sessionOf(key), this.lineage.pendingOf(key)]) {
      if (id !== undefined && (await this.#isLiving(id))) return id;
    }
    return undefined;
  }

  async #isLiving(sessionId: string): Promise<boolean> {
    const { store, projectKey, owners, rows, engine, isReplaced } = this.#parts;
    // What a damaged database lost or a full disk refused may stand in Claude Code's own file.
    if (isReplaced || rows.hasUnsavedRows(sessionId)) await engine.inspect(sessionId);
    return (
      (await store.hasSession(projectKey, sessionId)) && owners.belongs(this.#parts, sessionId)
    );
  }

  /** One line a run: a lost database would tell the same of every step. */
  #noteAbsence(step: string, sessionId: string | undefined): void {
    if (sessionId === undefined || this.#isAbsenceKnown) return;
    this.#isAbsenceKnown = true;
    const params = { step, session: sessionId };
    this.#parts.bus.emit({ type: 'notice', code: 'conversation-absent', params });
  }

  /** A new id for the step, on disk before its process starts, beside the old one. */
  propose(step: string, sessionId: string): void {
    this.#keep(`session of ${step}`, () => this.lineage.propose(this.#key(step), sessionId));
  }

  /** The session has records: it is the step's from now on. */
  remember(step: string, sessionId: string): void {
    if (this.lineage.sessionOf(this.#key(step)) === sessionId) return;
    this.#keep(`session of ${step}`, () => this.lineage.remember(this.#key(step), sessionId));
  }

  /** The step begins anew: its next run opens a new session. */
  startFresh(step: string): void {
    this.lineage.forget(this.#key(step));
    this.#history.forget(step);
  }

  /** How far the step got in the unfinished run that goes on here. */
  state(step: string): StepState | undefined {
    return this.previous === 'unfinished' ? this.#history.state(step) : undefined;
  }

  /** How far the step got in this run or in the unfinished one that it continues. */
  currentState(step: string): StepState | undefined {
    return this.#history.state(step);
  }

  /** How far the step got in whichever run had it last. */
  lastState(step: string): StepState | undefined {
    return this.#history.lastState(step);
  }

  /** Notes how far the step got; on disk when it returns, unless the disk refuses it. */
  save(step: string, state: StepState): void {
    this.#keep(`state of ${step}`, () => this.#history.save(step, state));
  }

  /** Forgets how far the step got. */
  forget(step: string): void {
    this.#keep(`state of ${step}`, () => this.#history.forget(step));
  }

  /** Mark of a stopped process that this flow was taken from. */
  get takenFrom(): string | undefined {
    return this.#lease.takenFrom;
  }

  /**
   * For a workspace that was moved: takes in the rows that only Claude Code's files under the old
   * path have.
   */
  async takeInFormer(): Promise<void> {
    const { movedFrom, steps } = this.lineage;
    if (movedFrom === undefined) return;
    for (const id of Object.values(steps)) await this.#parts.engine.takeInFrom?.(movedFrom, id);
  }

  /** How a session stands on disk. */
  standing(sessionId: string): Promise<SessionStanding> {
    return this.#parts.engine.inspect(sessionId);
  }

  /** True when the session holds a message at this place or later. */
  async hasSpokenSince(sessionId: string, sequence: number): Promise<boolean> {
    const key = { projectKey: this.#parts.projectKey, sessionId };
    const rows = await this.#parts.store.loadFrom(key, sequence);
    return rows.some(({ entry }) => entry.type === 'user' || entry.type === 'assistant');
  }

  /** Ends the run and gives the lease back. Only the first call counts. */
  end(outcome: 'finished' | 'unfinished'): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#keep(`end of ${this.#flow ?? ''}`, () => this.#history.end(outcome));
    this.lineage.flush();
    this.#lease.release();
  }

  #keep(what: string, work: () => void): void {
    this.#parts.writes.keep(what, work);
  }

  #key(step: string): string {
    return this.#flow === undefined ? step : `${this.#flow}/${step}`;
  }
}

function openLineage(parts: RuntimeParts, opening: FlowOpening): Lineage {
  const lineage = Lineage.open({
    database: parts.database,
    path: `${parts.runDir}/lineage.json`,
    workspace: opening.workspace,
    moved: opening.moved,
    isReplaced: parts.isReplaced,
    onWriteFailure: (error) => reportWriteFailure(parts, 'lineage.json', error),
  });
  if (lineage.absence?.reason === 'damaged' || lineage.absence?.reason === 'foreign-file') {
    const params = { file: 'lineage.json', path: lineage.absence.setAside };
    parts.bus.emit({ type: 'notice', code: 'file-set-aside', params });
  }
  if (lineage.absence?.reason === 'other-workspace') {
    const { workspace, setAside, isGone } = lineage.absence;
    const params = { workspace, path: setAside };
    const code = isGone ? 'workspace-moved' : 'conversation-absent';
    parts.bus.emit({ type: 'notice', code, params });
  }
  if (lineage.movedFrom !== undefined) {
    const from = { workspace: lineage.movedFrom, projectKey: projectKeyOf(lineage.movedFrom) };
    parts.owners.relocate(from, parts, Object.values(lineage.steps));
  }
  takeFormerKey(parts, lineage);
  if (opening.startOver) startOver(parts, lineage);
  return lineage;
}

/** A Python flower made a dash of `/`, `_` and `.` alone: of a path with more it has another key. */
function takeFormerKey(parts: RuntimeParts, lineage: Lineage): void {
  const projectKey = parts.workspace.replace(/[/_.]/g, '-');
  if (projectKey === parts.projectKey) return;
  const { workspace } = parts;
  parts.owners.relocate({ workspace, projectKey }, parts, Object.values(lineage.steps));
}

/**
 * Closes the history of the whole directory, so nobody else may be at work in it.
 *
 * @throws FlowerError `busy`
 */
function startOver(parts: RuntimeParts, lineage: Lineage): void {
  const other = parts.leases.otherHolder();
  if (other !== undefined) throw new FlowerError('busy', { what: parts.runDir, ...other });
  lineage.archive(join(parts.runDir, 'archive'));
}

/** Says that a file could not be written; the database still holds everything. */
export function reportWriteFailure(
  parts: Pick<RuntimeParts, 'bus'>,
  file: string,
  error: unknown,
): void {
  const detail = error instanceof Error ? error.message : String(error);
  parts.bus.emit({ type: 'alarm', code: 'write-failed', params: { file, detail } });
}
