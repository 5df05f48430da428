/** What a step, a question to the person, or a look at the goal came to. */

/** Why a step was not run. */
export type SkipReason = 'when' | 'already-passed';

/** How a question ended. */
export type QuestionOutcome =
  | 'answered'
  | 'timeout'
  | 'declined'
  | 'over-limit'
  | 'invalid'
  | 'withdrawn';

/** What the judge says of the goal. */
export type VerdictState = 'achieved' | 'not_yet' | 'unreachable';

/** One check of the goal, judged. */
export interface VerdictItem {
  readonly item: string;
  readonly met: boolean;
  /** Command and exit code, or file and line; empty: none was given, so it is not met. */
  readonly evidence: string;
}
