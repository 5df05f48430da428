import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import { StagedFiles } from './staged-files.ts';

const makeDirectory = temporaryDirectories();
let workspace: string;
let runDir: string;

beforeEach(() => {
  const root = makeDirectory();
  workspace = join(root, 'workspace');
  runDir = join(root, 'runs');
  mkdirSync(workspace);
  mkdirSync(runDir);
});

function staged(): StagedFiles {
  return new StagedFiles({ workbench: join(workspace, '.flower'), run: runDir });
}

describe('StagedFiles', () => {
  it('shows nothing before the move, and everything after it', () => {
    const files = staged();
    files.begin('workbench', 'notes/a.md', false);
    files.append(Buffer.from('hel'));
    files.append(Buffer.from('lo'));
    expect(existsSync(join(workspace, '.flower'))).toBe(false);
    files.move();
    files.discard();
    expect(readFileSync(join(workspace, '.flower', 'notes', 'a.md'), 'utf8')).toBe('hello');
    expect(readdirSync(workspace)).toEqual(['.flower']);
  });

  it.each([
    ['workbench', '../evil'],
    ['workbench', '/etc/evil'],
    ['workbench', 'a/../../evil'],
    ['workbench', 'a//b'],
    ['workbench', ''],
    ['workbench', 'a\\..\\b'],
    ['run', 'sessions.db'],
    ['run', 'adopted/../sessions.db'],
  ] as const)('takes no %s file %j', (root, path) => {
    expect(staged().begin(root, path, false)).toBe(false);
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('takes no bytes without a file', () => {
    expect(staged().append(Buffer.from('x'))).toBe(false);
  });

  it('sets a file with another content aside, and leaves an equal one', () => {
    mkdirSync(join(workspace, '.flower'));
    writeFileSync(join(workspace, '.flower', 'a'), 'mine');
    writeFileSync(join(workspace, '.flower', 'b'), 'same');
    const files = staged();
    files.begin('workbench', 'a', false);
    files.append(Buffer.from('theirs'));
    files.begin('workbench', 'b', false);
    files.append(Buffer.from('same'));
    files.move();
    files.discard();
    const names = readdirSync(join(workspace, '.flower')).sort();
    expect(names).toEqual(['a', expect.stringMatching(/^a\.before-import-/), 'b']);
    expect(readFileSync(join(workspace, '.flower', names[1] ?? ''), 'utf8')).toBe('mine');
  });

  it('never writes through a link', () => {
    const outside = makeDirectory();
    mkdirSync(join(workspace, '.flower'));
    symlinkSync(outside, join(workspace, '.flower', 'notes'));
    const files = staged();
    files.begin('workbench', 'first', false);
    files.begin('workbench', 'notes/evil', false);
    expect(() => files.move()).toThrow(expect.objectContaining({ code: 'run-dir-unwritable' }));
    files.discard();
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(join(workspace, '.flower'))).toEqual(['notes']);
  });

  it('removes what a killed import left, and leaves that of a living one', () => {
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    mkdirSync(join(workspace, `.flower-import-${dead}-0123abcd`, 'x'), { recursive: true });
    mkdirSync(join(workspace, `.flower-import-${process.ppid}-0123abcd`));
    staged();
    expect(readdirSync(workspace)).toEqual([`.flower-import-${process.ppid}-0123abcd`]);
  });
});
