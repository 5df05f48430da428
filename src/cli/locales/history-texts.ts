import type { AttemptVerdict, LoggedRun } from '../../runtime/history/run-log.ts';
import type { DropReason, RepairKind } from '../../transcript/report.ts';

/** Texts of `adopt`, `export`, `import`, `log` and `transcript`. Arguments are safe for a terminal. */
export interface HistoryTexts {
  readonly help: {
    readonly commands: Readonly<
      Record<'adopt' | 'export' | 'import' | 'log' | 'transcript' | 'check', string>
    >;
    readonly arguments: Readonly<
      Record<'conversation' | 'exportFile' | 'importFile' | 'subject' | 'transcript', string>
    >;
    readonly options: Readonly<Record<'last' | 'step' | 'withSecrets' | 'all', string>>;
  };
  readonly expectedStep: string;
  readonly adopt: {
    done(step: string, session: string): string;
    rows(rows: number, added: number, subagents: number): string;
    damaged(pieces: number): string;
    original(path: string): string;
    replaced(session: string): string;
    /** Who goes on with it; the flow is empty for a workflow without a name. */
    next(flow: string, step: string): string;
    none(workspace: string): string;
    choose(count: number): string;
    readonly columns: Readonly<Record<'session' | 'last' | 'prompt', string>>;
  };
  readonly transfer: {
    exported(file: string, sessions: number, entries: number, files: number): string;
    readonly redacted: string;
    readonly withSecrets: string;
    imported(from: string, sessions: number, entries: number, files: number): string;
    place(workspace: string, runDir: string): string;
    steps(names: string): string;
  };
  readonly log: {
    nothing(runDir: string): string;
    run(run: string): string;
    flow(name: string): string;
    readonly unnamedFlow: string;
    readonly single: string;
    woke(count: number): string;
    readonly outcome: Readonly<Record<NonNullable<LoggedRun['outcome']>, string>>;
    readonly verdict: Readonly<Record<AttemptVerdict, string>>;
    readonly columns: Readonly<
      Record<'step' | 'verdict' | 'cost' | 'duration' | 'context' | 'start' | 'session', string>
    >;
    readonly noAttempts: string;
    committed(before: string, after: string, changes: string): string;
    nothingCommitted(head: string): string;
    uncommitted(changes: string, untracked: number): string;
    /** Files, lines added and lines removed. */
    changes(files: number, insertions: number, deletions: number): string;
    total(cost: string): string;
  };
  readonly transcript: {
    readonly roles: Readonly<Record<'user' | 'assistant' | 'note', string>>;
    readonly subagent: string;
    readonly compacted: string;
    more(lines: number): string;
    readonly safe: string;
    readonly unsafe: string;
    counts(entries: number, dropped: number, repaired: number): string;
    readonly dropped: Readonly<Record<DropReason | 'damaged', string>>;
    readonly repaired: Readonly<Record<RepairKind, string>>;
    readonly droppedTitle: string;
    readonly repairedTitle: string;
    rest(count: number): string;
  };
}
