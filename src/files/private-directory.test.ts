import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectories } from './__fixtures__/temporary-directory.ts';
import { ensurePrivateDirectory } from './private-directory.ts';

const makeDirectory = temporaryDirectories();

describe('ensurePrivateDirectory', () => {
  it('makes the folder with its parents and hides its content from git', () => {
    const path = join(makeDirectory(), 'deep', 'runs');
    ensurePrivateDirectory(path);
    ensurePrivateDirectory(path);
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(join(path, '..', '.gitignore'))).toBe(false);
  });

  it('hides a folder whose maker was killed before it could', () => {
    const path = join(makeDirectory(), 'runs');
    mkdirSync(path);
    ensurePrivateDirectory(path);
    expect(existsSync(join(path, '.gitignore'))).toBe(true);
  });

  it('adds nothing to a folder that is in use', () => {
    const path = makeDirectory();
    writeFileSync(join(path, 'file'), '');
    ensurePrivateDirectory(path);
    expect(existsSync(join(path, '.gitignore'))).toBe(false);
  });

  it("keeps the owner's own .gitignore", () => {
    const path = makeDirectory();
    writeFileSync(join(path, '.gitignore'), '*.log\n');
    ensurePrivateDirectory(path);
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*.log\n');
  });

  it('fails where a file has the name', () => {
    const path = join(makeDirectory(), 'file');
    writeFileSync(path, '');
    expect(() => {
      ensurePrivateDirectory(path);
    }).toThrow('EEXIST');
  });
});
