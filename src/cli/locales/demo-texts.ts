import type { DemoCheck } from '../demo/demo-checks.ts';
import type { DemoFacts, DemoFault, SeenOutcome } from '../demo/demo-facts.ts';

/** Texts of `flower demo`. */
export interface DemoTexts {
  readonly intro: string;
  project(folder: string): string;
  killed(pid: number, processes: number): string;
  /** How the run stands, steps that passed, steps that go on, their session. */
  status(outcome: SeenOutcome, passed: string, unfinished: string, session: string): string;
  readonly waking: string;
  /** Title of the claims. */
  readonly claims: string;
  /** Stands before a claim that the facts bear out, or not. */
  readonly holds: string;
  readonly fails: string;
  readonly checks: Readonly<Record<DemoCheck, (facts: DemoFacts) => string>>;
  readonly faults: Readonly<Record<DemoFault, string>>;
  place(folder: string): string;
  done(claims: number, duration: string): string;
  failed(failed: number, claims: number): string;
}
