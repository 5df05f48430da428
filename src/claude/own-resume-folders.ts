import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder of a resume that was killed, with sessions of ours. */
export interface ResumeFolder {
  readonly path: string;
  readonly sessionIds: readonly string[];
}

/** A folder that was touched lately may still be in use. */
const youngMs = 10 * 60_000;

/**
 * Finds the `claude-resume-*` folders that a killed resume left behind and that hold nothing but
 * sessions known here. Folders of other users and of other programs are passed over. Looks only.
 *
 * @param isKnown - True for the id of a session of this run directory.
 * @param temporaryDirectory - Default `os.tmpdir()`, as the SDK.
 */
export function ownResumeFolders(
  isKnown: (sessionId: string) => boolean,
  temporaryDirectory: string = tmpdir(),
): ResumeFolder[] {
  return namesIn(temporaryDirectory)
    .filter((name) => name.startsWith('claude-resume-'))
    .map((name) => join(temporaryDirectory, name))
    .filter(isOwnAndOld)
    .map((path) => ({ path, sessionIds: sessionsIn(path) }))
    .filter(({ sessionIds }) => sessionIds.length > 0 && sessionIds.every(isKnown));
}

function sessionsIn(folder: string): string[] {
  const projects = join(folder, 'projects');
  return namesIn(projects)
    .flatMap((key) => namesIn(join(projects, key)))
    .flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []));
}

function isOwnAndOld(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || Date.now() - stats.mtimeMs < youngMs) return false;
  const owner = process.getuid?.();
  return owner === undefined || stats.uid === owner;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
