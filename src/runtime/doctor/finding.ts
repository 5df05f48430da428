/** How a finding is to be taken. */
export type FindingLevel = 'good' | 'notice' | 'problem';

/** What a look can find; texts live in the locale catalogues. */
export type FindingCode =
  | 'run-dir-absent'
  | 'run-dir-unwritable'
  | 'run-live'
  | 'database-absent'
  | 'database-sound'
  | 'database-damaged'
  | 'database-locked'
  | 'database-newer'
  | 'database-older'
  | 'database-big'
  | 'disk-free'
  | 'disk-low'
  | 'lineage-sound'
  | 'lineage-absent'
  | 'lineage-damaged'
  | 'lineage-elsewhere'
  | 'lineage-moved'
  | 'resumes'
  | 'resumes-nothing'
  | 'orphans'
  | 'killed-rows'
  | LeftoverCode;

/** Things that a killed or mended run leaves behind, and data that nothing refers to any more. */
export type LeftoverCode =
  | 'resume-folders'
  | 'stub-files'
  | 'set-aside'
  | 'dead-locks'
  | 'temporary-files'
  | 'old-sessions';

/** One line of a look. */
export interface Finding {
  readonly level: FindingLevel;
  readonly code: FindingCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Makes a finding. */
export function finding(
  level: FindingLevel,
  code: FindingCode,
  params: Finding['params'] = {},
): Finding {
  return { level, code, params };
}
