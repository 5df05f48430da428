import { randomUUID } from 'node:crypto';
import type { SegmentResult } from '../claude/engine.ts';
import type { SegmentRecord } from '../ledger/attempt-rows.ts';
import type { ManifestRow } from '../ledger/manifest-row.ts';
import { manifestRowOf, type RunAccount } from './run-account.ts';
import type { RunSession } from './run-options.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import type { StepResult } from './step-result.ts';

/** The manifest row of one run: opened with its first segment, closed with its outcome. */
export class AttemptRow {
  readonly #parts: RuntimeParts;
  readonly #account: RunAccount;
  readonly #onStart: ((session: RunSession) => void) | undefined;
  /** `undefined` until the row is opened, 0 once it is closed. */
  #id: number | undefined;
  /** Paid usage of ended segments that is not on disk yet. */
  #unsaved: SegmentResult['modelUsage'][] = [];
  /** Set before the first save. */
  session: RunSession | undefined;

  /** `onStart` is called in the transaction that opens the row. */
  constructor(
    parts: RuntimeParts,
    account: RunAccount,
    onStart: ((session: RunSession) => void) | undefined,
  ) {
    this.#parts = parts;
    this.#account = account;
    this.#onStart = onStart;
  }

  get isOpen(): boolean {
    return this.#id !== undefined && this.#id !== 0;
  }

  /** Usage that was paid for; the next save or the closing puts it on disk. */
  noteSpent(usage: SegmentResult['modelUsage']): void {
    this.#unsaved.push(usage);
  }

  /**
   * Puts the row on disk as it stands. The first time it is opened, in one transaction with its
   * segment and with what the caller notes of the start.
   */
  save(segment: SegmentRecord | null): void {
    if (this.#id === undefined) this.#open(segment);
    else if (this.#id !== 0) this.#update(this.#id, segment);
  }

  /** Closes the row with what the account says now, and returns that. */
  close(): StepResult {
    const { writes, rows, usage, manifest, run, host, clock, redact } = this.#parts;
    const endedAtMs = clock.now().getTime();
    const id = this.#id;
    const unsaved = this.#unsaved;
    this.#id = 0;
    this.#unsaved = [];
    // Made when it is written: an alarm of a disk that refuses it belongs into it.
    writes.keep(`row ${randomUUID()}`, () => {
      const row = redact(manifestRowOf(this.#account.result(endedAtMs), run));
      for (const used of unsaved) usage.record(used);
      rows.close(id ?? rows.open(row, host, null), row);
    });
    manifest.update();
    return this.#account.result(endedAtMs);
  }

  /** Closes the row after a fault of flower itself or of its disk, if that can still be written. */
  closeBroken(error: unknown): void {
    if (!this.isOpen) return;
    this.#account.fail(error instanceof Error ? error.message : String(error), 'unknown');
    try {
      this.close();
    } catch {
      // The row stays open; the next process closes it.
    }
  }

  #open(segment: SegmentRecord | null): void {
    const { writes, owners, rows, host } = this.#parts;
    let opened = 0;
    const isOpened = writes.try(() => {
      if (this.session !== undefined) {
        owners.claim(this.#parts, this.session.sessionId);
        this.#onStart?.(this.session);
      }
      opened = rows.open(this.#row(), host, segment);
    });
    // Where the disk refused it, the next save tries again.
    if (isOpened) this.#id = opened;
  }

  #update(id: number, segment: SegmentRecord | null): void {
    const { writes, rows, usage } = this.#parts;
    const isSaved = writes.try(() => {
      for (const used of this.#unsaved) usage.record(used);
      rows.update(id, this.#row(), segment);
    });
    if (isSaved) this.#unsaved = [];
  }

  #row(): ManifestRow {
    const { clock, run, redact } = this.#parts;
    return redact(manifestRowOf(this.#account.result(clock.now().getTime()), run));
  }
}
