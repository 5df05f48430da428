import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Commits that were checked out around a run; `null` where none was, or where it is not known. */
export interface GitHeads {
  readonly before: string | null;
  /** `null` too for a run that was killed. */
  readonly after: string | null;
}

const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const gitTimeoutMs = 2_000;

/**
 * The commit that is checked out in a directory.
 *
 * Reads git's own files, which takes well under a millisecond; asks git itself, for two seconds at
 * most, only where branches are not kept in files. Never throws, writes nothing.
 *
 * @returns `undefined` outside of a repository, `null` before the first commit.
 */
export async function gitHead(directory: string): Promise<string | null | undefined> {
  const folder = gitFolder(directory);
  const head = folder === undefined ? undefined : readText(join(folder, 'HEAD'));
  if (folder === undefined || head === undefined) return undefined;
  if (commit.test(head)) return head;
  const branch = /^ref: (\S+)$/.exec(head)?.[1];
  if (branch === undefined) return null;
  // What git writes into HEAD when branches are in a table of their own.
  if (branch === 'refs/heads/.invalid') return await askGit(directory);
  return branchCommit(folder, branch);
}

/** The repository's folder; of a worktree its own one. */
function gitFolder(directory: string): string | undefined {
  for (let place = directory; ; place = dirname(place)) {
    const path = join(place, '.git');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) return path;
    const linked =
      stats === undefined ? undefined : /^gitdir: (.+)$/.exec(readText(path) ?? '')?.[1];
    if (linked !== undefined) return resolve(place, linked);
    if (dirname(place) === place) return undefined;
  }
}

function branchCommit(folder: string, branch: string): string | null {
  const shared = readText(join(folder, 'commondir'));
  const folders = shared === undefined ? [folder] : [folder, resolve(folder, shared)];
  for (const place of folders) {
    const found = readText(join(place, branch)) ?? packedCommit(place, branch);
    if (found !== undefined && commit.test(found)) return found;
  }
  return null;
}

function packedCommit(folder: string, branch: string): string | undefined {
  const line = (readText(join(folder, 'packed-refs')) ?? '')
    .split('\n')
    .find((candidate) => candidate.endsWith(` ${branch}`));
  return line?.split(' ')[0];
}

function askGit(directory: string): Promise<string | null> {
  return new Promise((settle) => {
    execFile(
      'git',
      ['-C', directory, 'rev-parse', '--verify', '--quiet', 'HEAD'],
      { timeout: gitTimeoutMs },
      (error, stdout) =>
        settle(error === null && commit.test(stdout.trim()) ? stdout.trim() : null),
    );
  });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
