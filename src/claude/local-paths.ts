import { join } from 'node:path';

/** Where Claude Code keeps one session. */
export interface LocalSession {
  /** Claude Code's configuration directory, or a `claude-resume-*` folder that stands in for it. */
  readonly configDirectory: string;
  readonly projectKey: string;
  readonly sessionId: string;
}

/** A transcript file anywhere, laid out as Claude Code does it: its subagents in a folder beside it. */
export interface TranscriptFile {
  /** Path of the main conversation; its name ends in `.jsonl`. */
  readonly file: string;
}

/** The file of the main conversation. */
export function mainTranscriptPath(session: LocalSession | TranscriptFile): string {
  return `${sessionDirectory(session)}.jsonl`;
}

/** The folder of the session's subagents and spilled tool results. */
export function sessionDirectory(session: LocalSession | TranscriptFile): string {
  if ('file' in session) return session.file.replace(/\.jsonl$/, '');
  return join(projectDirectory(session), session.sessionId);
}

/**
 * The file of a subagent's rows.
 *
 * @param subpath - As the store has it, for example `subagents/agent-<id>`.
 * @throws RangeError when the subpath leads out of the session's folder.
 */
export function subagentTranscriptPath(
  session: LocalSession | TranscriptFile,
  subpath: string,
): string {
  return join(sessionDirectory(session), `${checkedSubpath(subpath)}.jsonl`);
}

/** The file beside {@link subagentTranscriptPath} that says what kind of subagent it is. */
export function subagentMetadataPath(
  session: LocalSession | TranscriptFile,
  subpath: string,
): string {
  return join(sessionDirectory(session), `${checkedSubpath(subpath)}.meta.json`);
}

function projectDirectory(session: LocalSession): string {
  return join(session.configDirectory, 'projects', session.projectKey);
}

function checkedSubpath(subpath: string): string {
  const isSafe = subpath.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part));
  if (!isSafe) throw new RangeError(`Not a path of a subagent: ${JSON.stringify(subpath)}`);
  return subpath;
}
