import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { gitHead } from './git-head.ts';

const makeDirectory = temporaryDirectories();
const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...identity, '-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** A repository with one commit. */
function repository(): string {
  const folder = makeDirectory();
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  return folder;
}

describe('gitHead', () => {
  it.each<[string, (folder: string) => string]>([
    ['on a branch', (folder) => folder],
    [
      'in a folder below',
      (folder) => {
        mkdirSync(join(folder, 'a', 'b'), { recursive: true });
        return join(folder, 'a', 'b');
      },
    ],
    [
      'with packed branches',
      (folder) => {
        git(folder, 'pack-refs', '--all');
        return folder;
      },
    ],
    [
      'without a branch',
      (folder) => {
        git(folder, 'checkout', '-q', '--detach');
        return folder;
      },
    ],
    [
      'in a worktree',
      (folder) => {
        const tree = join(folder, '..', `${folder.split('/').at(-1)}-tree`);
        git(folder, 'worktree', 'add', '-q', '-b', 'side', tree);
        git(tree, 'commit', '-q', '--allow-empty', '-m', 'second');
        return tree;
      },
    ],
  ])('is what git says %s', async (_what, prepare) => {
    const place = prepare(repository());
    expect(await gitHead(place)).toBe(git(place, 'rev-parse', 'HEAD'));
  });

  it('is null before the first commit', async () => {
    const folder = makeDirectory();
    git(folder, 'init', '-q');
    expect(await gitHead(folder)).toBeNull();
  });

  it('is undefined outside of a repository', async () => {
    const folder = makeDirectory();
    expect(await gitHead(folder)).toBeUndefined();
    writeFileSync(join(folder, '.git'), 'no repository');
    expect(await gitHead(folder)).toBeUndefined();
  });
});
