import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalSession, mainTranscriptPath } from './local-paths.ts';

/**
 * Finds the temporary folders that a killed resume left behind and that hold this session.
 *
 * The Agent SDK lays a resumed session out in `<tmpdir>/claude-resume-*` and removes the folder at
 * an orderly end; after a kill it may hold rows that are nowhere else. Folders of other users are
 * passed over. Nothing is removed.
 *
 * @param temporaryDirectory - Default `os.tmpdir()`, as the SDK.
 * @returns the session in each of them, newest last, ready for `readLocalTranscript`.
 */
export function leftoverResumeDirectories(
  sessionId: string,
  temporaryDirectory: string = tmpdir(),
): LocalSession[] {
  return namesIn(temporaryDirectory)
    .filter((name) => name.startsWith('claude-resume-'))
    .map((name) => join(temporaryDirectory, name))
    .filter(isOwn)
    .flatMap((directory) => sessionsIn(directory, sessionId))
    .sort((left, right) => modifiedMs(left) - modifiedMs(right));
}

function sessionsIn(directory: string, sessionId: string): LocalSession[] {
  return namesIn(join(directory, 'projects'))
    .map((projectKey) => ({ configDirectory: directory, projectKey, sessionId }))
    .filter((session) => modifiedMs(session) > 0);
}

/** 0 when the session has no file there. */
function modifiedMs(session: LocalSession): number {
  const stats = statSync(mainTranscriptPath(session), { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.mtimeMs : 0;
}

/** A folder that another user planted could put words into the conversation. */
function isOwn(directory: string): boolean {
  const owner = process.getuid?.();
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (owner === undefined || stats.uid === owner);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
