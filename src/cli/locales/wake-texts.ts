/** Texts of waking: the wake line of a run and what `flower status` says of it. */
export interface WakeTexts {
  /** A step whose session goes on; the parts are what is known of it. */
  continues(step: string, parts: readonly string[]): string;
  context(tokens: string): string;
  readonly cache: Readonly<Record<'warm' | 'cold', string>>;
  lastRecord(age: string): string;
  more(count: number): string;
  readonly cacheColumn: string;
  readonly cacheState: Readonly<Record<'warm' | 'cold' | 'unknown', string>>;
  /** Which waking the next run would be. */
  nextWaking(count: number): string;
  readonly nearby: string;
  nearbyRun(runDir: string, workspace: string): string;
}
