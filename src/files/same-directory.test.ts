import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectories } from './__fixtures__/temporary-directory.ts';
import { isSameDirectory } from './same-directory.ts';

const temporaryDirectory = temporaryDirectories();

describe('isSameDirectory', () => {
  const root = (): string => realpathSync(temporaryDirectory());

  it('knows a directory behind symbolic links and detours', () => {
    const folder = join(root(), 'a');
    mkdirSync(folder);
    symlinkSync(folder, `${folder}-link`);
    for (const path of [folder, `${folder}-link`, `${folder}/../a`, `${folder}/`]) {
      expect(isSameDirectory(path, folder)).toBe(true);
    }
  });

  it('tells two directories apart', () => {
    const folder = root();
    for (const name of ['a.b', 'a_b']) mkdirSync(join(folder, name));
    expect(isSameDirectory(join(folder, 'a.b'), join(folder, 'a_b'))).toBe(false);
  });

  it('a path that is gone is the same only when it is written the same', () => {
    const folder = root();
    expect(isSameDirectory(join(folder, 'gone'), folder)).toBe(false);
    expect(isSameDirectory(join(folder, 'gone'), join(folder, 'gone'))).toBe(true);
  });
});
