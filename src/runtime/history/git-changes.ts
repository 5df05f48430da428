import { execFile } from 'node:child_process';

/** How much changed between two states of a repository. */
export interface Diffstat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** What stands in the working tree and in no commit yet. */
export interface UncommittedChanges extends Diffstat {
  /** Files that git does not know. */
  readonly untracked: number;
}

const timeoutMs = 10_000;
const outputBytes = 16_777_216;

/**
 * What changed between two commits; with one commit, between it and the working tree.
 *
 * Looks only: git may not refresh its index, and programs of the repository's settings are not run.
 *
 * @returns `null` when git cannot tell, for example because a commit is gone.
 */
export async function diffstat(
  workspace: string,
  before: string,
  after?: string,
): Promise<Diffstat | null> {
  const commits = after === undefined ? [before] : [before, after];
  const options = ['--shortstat', '--no-ext-diff', '--no-textconv', '--no-color'];
  const text = await git(workspace, ['diff', ...options, ...commits, '--']);
  return text === null ? null : parseShortstat(text);
}

/**
 * What is not committed, counted against an earlier commit.
 *
 * @returns `null` when everything is committed, or git cannot tell.
 */
export async function uncommittedChanges(
  workspace: string,
  before: string,
): Promise<UncommittedChanges | null> {
  const status = await git(workspace, ['status', '--porcelain=v1', '-z', '--untracked-files=all']);
  if (status === null || status === '') return null;
  const stat = await diffstat(workspace, before);
  if (stat === null) return null;
  const untracked = status.split('\0').filter((line) => line.startsWith('?? ')).length;
  return { ...stat, untracked };
}

/** Reads the last line of `git diff --stat`; an empty text means that nothing changed. */
export function parseShortstat(text: string): Diffstat {
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    files: count(/(\d+) files? changed/),
    insertions: count(/(\d+) insertions?/),
    deletions: count(/(\d+) deletions?/),
  };
}

function git(workspace: string, args: readonly string[]): Promise<string | null> {
  const fixed = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-C', workspace];
  return new Promise((settle) => {
    execFile(
      'git',
      [...fixed, ...args],
      { timeout: timeoutMs, maxBuffer: outputBytes, env: gitEnvironment() },
      (error, stdout) => settle(error === null ? stdout : null),
    );
  });
}

/** Without what an outer git command says of its own repository, and in one language. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(own), LC_ALL: 'C' };
}
