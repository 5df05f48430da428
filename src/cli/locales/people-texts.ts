import type { QuestionOutcome, VerdictState } from '../../events/outcome.ts';

/** Texts of what passes between a run and its people. All arguments are safe for a terminal. */
export interface PeopleTexts {
  /** `remaining` is missing when no time limit runs. */
  howToAnswer(id: string, remaining: string | undefined): string;
  closed(id: string, outcome: QuestionOutcome, answer: string): string;
  queued(id: string, text: string, amended: boolean): string;
  withdrawn(id: string): string;
  delivered(id: string): string;
  interrupted(text: string): string;
  asideStarted(question: string): string;
  asideFailed(reason: string): string;
  asideCost(cost: string): string;
  /** `exitCode` is `null` when the command did not end by itself. */
  checkOutcome(exitCode: number | null, timedOut: boolean, duration: string): string;
  verdict(round: number, rounds: number, state: VerdictState): string;
  readonly noEvidence: string;
  readonly sameGaps: string;
  weakened(files: string): string;
}
