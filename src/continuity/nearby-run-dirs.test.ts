import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { nearbyRunDirs } from './nearby-run-dirs.ts';

const temporaryDirectory = temporaryDirectories();
let root: string;

beforeEach(() => {
  root = realpathSync(temporaryDirectory());
});

/** A run directory with a lineage of that workspace. */
function history(path: string, workspace = root): string {
  const runDir = join(root, path);
  mkdirSync(runDir, { recursive: true });
  writeFileSync(join(runDir, 'lineage.json'), JSON.stringify({ workspace, woke: 1, steps: {} }));
  return runDir;
}

function found(runDir: string, workspace = root): string[] {
  return nearbyRunDirs(join(root, runDir), workspace).map((near) => near.runDir);
}

describe('nearbyRunDirs', () => {
  it.each([
    ['beside it, under the usual name', 'runs', 'night'],
    ['in a parent', 'runs', 'a/b/c/runs'],
    ['in a directory below', 'a/runs', 'runs'],
    ['in a directory below, under the same unusual name', 'a/night', 'night'],
    ['beside it, under another name', 'night', 'runs'],
  ])('finds one %s', (_where, present, missing) => {
    mkdirSync(dirname(join(root, missing)), { recursive: true });
    const runDir = history(present);
    expect(found(missing)).toEqual([runDir]);
  });

  it('finds the one of the workspace when the current directory is elsewhere', () => {
    mkdirSync(join(root, 'far/away'), { recursive: true });
    const runDir = history('projects/one/runs', join(root, 'projects/one'));
    expect(found('far/away/runs', join(root, 'projects/one'))).toEqual([runDir]);
  });

  it('names those of the workspace first', () => {
    history('a/runs', '/elsewhere');
    const ours = history('b/runs');
    expect(found('runs')[0]).toBe(ours);
    expect(found('runs')).toHaveLength(2);
  });

  it('passes over damaged ones and the place itself', () => {
    history('runs');
    mkdirSync(join(root, 'a/runs'), { recursive: true });
    writeFileSync(join(root, 'a/runs/lineage.json'), '{');
    expect(found('runs')).toEqual([]);
  });

  it('names no more than five', () => {
    for (let count = 0; count < 8; count += 1) history(`project-${count}/runs`);
    expect(found('runs')).toHaveLength(5);
  });
});
