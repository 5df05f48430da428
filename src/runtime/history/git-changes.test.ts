import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import { diffstat, parseShortstat, uncommittedChanges } from './git-changes.ts';

const makeDirectory = temporaryDirectories();
const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...identity, '-C', folder, ...args], { encoding: 'utf8' }).trim();
}

describe('parseShortstat', () => {
  it.each([
    [' 3 files changed, 10 insertions(+), 2 deletions(-)\n', 3, 10, 2],
    [' 1 file changed, 1 insertion(+)\n', 1, 1, 0],
    [' 1 file changed, 1 deletion(-)\n', 1, 0, 1],
    ['', 0, 0, 0],
  ])('reads %j', (text, files, insertions, deletions) => {
    expect(parseShortstat(text)).toEqual({ files, insertions, deletions });
  });
});

describe('diffstat and uncommittedChanges', () => {
  it('count commits, the working tree and untracked files, and run nothing of the repository', async () => {
    const folder = makeDirectory();
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', 'first');
    const before = git(folder, 'rev-parse', 'HEAD');
    expect(await uncommittedChanges(folder, before)).toBeNull();
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
    git(folder, 'commit', '-q', '-a', '-m', 'second');
    const after = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'config', 'diff.external', `touch ${join(folder, 'ran')} #`);
    git(folder, 'config', 'core.fsmonitor', `touch ${join(folder, 'ran')} #`);
    expect(await diffstat(folder, before, after)).toEqual({
      files: 1,
      insertions: 1,
      deletions: 0,
    });
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    writeFileSync(join(folder, 'b.txt'), 'new\n');
    // Counted against the first commit: one line came, one went. "ran" would be untracked too.
    expect(await uncommittedChanges(folder, before)).toEqual({
      files: 1,
      insertions: 1,
      deletions: 1,
      untracked: 1,
    });
  });

  it('are null when git cannot tell', async () => {
    const folder = makeDirectory();
    expect(await diffstat(folder, 'a'.repeat(40), 'b'.repeat(40))).toBeNull();
    expect(await uncommittedChanges(folder, 'a'.repeat(40))).toBeNull();
  });
});
