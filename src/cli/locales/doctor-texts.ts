import type { CleanedThing } from '../../runtime/doctor/clean-steps.ts';
import type { FindingCode, FindingLevel } from '../../runtime/doctor/finding.ts';

/** Data of a finding as text: sizes, times and numbers are written out, and safe for a terminal. */
export type FindingParams = (name: string) => string;

/** Texts of `flower doctor`. */
export interface DoctorTexts {
  readonly help: {
    readonly command: string;
    readonly options: Readonly<Record<'clean' | 'olderThan' | 'largerThan' | 'dryRun', string>>;
  };
  readonly expectedAge: string;
  readonly expectedSize: string;
  place(workspace: string, runDir: string): string;
  readonly levels: Readonly<Record<FindingLevel, string>>;
  /** What is found, and what to do when something is wrong. */
  readonly findings: Readonly<Record<FindingCode, (param: FindingParams) => string>>;
  /** What was removed or ended; the size is empty when there is none. */
  readonly cleaned: Readonly<Record<CleanedThing['code'], (count: number, size: string) => string>>;
  readonly nothingCleaned: string;
  /** Before the list of what would be done. */
  readonly dryRun: string;
  summary(problems: number): string;
}
