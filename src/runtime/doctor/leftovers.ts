import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownResumeFolders, type ResumeFolder } from '../../claude/own-resume-folders.ts';
import { configDirectory } from '../../claude/project-key.ts';
import { runProcesses } from '../../continuity/run-processes.ts';
import type { DoctorPlace } from './doctor-options.ts';
import type { LeftoverCode } from './finding.ts';

/** Files and folders that nobody needs any more, by kind. */
export interface Leftovers {
  readonly resumeFolders: readonly ResumeFolder[];
  readonly files: Readonly<
    Record<Exclude<LeftoverCode, 'resume-folders' | 'old-sessions'>, string[]>
  >;
}

const asideName =
  /^(?:sessions\.db|lineage\.json|manifest\.json)\.(?:damaged|other-workspace|before-moved)-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/;
const stubName = /\.jsonl\.stub-\d{8}-\d{6}/;
const temporaryName = /^\.(?:(?:lineage|manifest)\.json\.\d+-[0-9a-f]{12}\.tmp|probe-.*)$/;
/** A write takes milliseconds. */
const youngMs = 60_000;

/**
 * Finds what killed and mended runs left behind. Looks only.
 *
 * @param before - Files that were set aside later than this are kept for a look at them.
 * @param isKnown - True for the id of a session of this workspace in this run directory.
 */
export function findLeftovers(
  place: DoctorPlace,
  before: number,
  isKnown: (sessionId: string) => boolean,
): Leftovers {
  const { runDir, now } = place;
  const names = namesIn(runDir);
  return {
    resumeFolders: ownResumeFolders(isKnown),
    files: {
      'stub-files': stubFiles(place),
      'set-aside': names
        .filter((name) => setAsideAt(name) < before)
        .map((name) => join(runDir, name)),
      'dead-locks': [...runProcesses(runDir).dead],
      'temporary-files': names
        .filter((name) => temporaryName.test(name))
        .map((name) => join(runDir, name))
        .filter((path) => now.getTime() - modifiedMs(path) > youngMs),
    },
  };
}

/** Files that were set aside, however young. */
export function allSetAside(runDir: string): string[] {
  return namesIn(runDir)
    .filter((name) => asideName.test(name))
    .map((name) => join(runDir, name));
}

/** Size of files and of folders with all that is in them. */
export function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + sizeOf(path), 0);
}

function setAsideAt(name: string): number {
  const match = asideName.exec(name);
  if (match === null) return Number.POSITIVE_INFINITY;
  const [year = 0, month = 1, ...rest] = match.slice(1).map(Number);
  return new Date(year, month - 1, ...(rest as [number, number, number, number])).getTime();
}

function stubFiles({ projectKey, env }: DoctorPlace): string[] {
  const folder = join(configDirectory(env), 'projects', projectKey);
  return namesIn(folder)
    .filter((name) => stubName.test(name))
    .map((name) => join(folder, name));
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return bytesOf(namesIn(path).map((name) => join(path, name)));
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
