import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'setup-lock.mjs')).href;

/** Notes when it enters and leaves, and dies in between when its name is `dying`. */
const worker = `
  import { appendFileSync } from 'node:fs';
  import { withSetupLock } from '${module}';
  const [lock, notes, name] = process.argv.slice(1);
  await withSetupLock(lock, () => {}, async () => {
    appendFileSync(notes, name + ' in\\n');
    if (name === 'dying') process.exit(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    appendFileSync(notes, name + ' out\\n');
  });
`;

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-setup-lock-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function run(name: string): Promise<unknown> {
  const args = ['--input-type=module', '-e', worker, lockPath(), notesPath(), name];
  return promisify(execFile)(process.execPath, args, { timeout: 15_000 });
}

function lockPath(): string {
  return join(directory, 'lock');
}

function notesPath(): string {
  return join(directory, 'notes');
}

describe('setup lock', () => {
  it('lets one process in at a time, and leaves no file', async () => {
    await Promise.all(['one', 'two', 'three'].map(run));
    const notes = readFileSync(notesPath(), 'utf8').trim().split('\n');
    const pairs = [0, 2, 4].map((at) => notes.slice(at, at + 2).map((it) => it.split(' ')));
    for (const [entered, left] of pairs) {
      expect(left?.[0]).toBe(entered?.[0]);
      expect([entered?.[1], left?.[1]]).toEqual(['in', 'out']);
    }
    expect(notes).toHaveLength(6);
    expect(existsSync(lockPath())).toBe(false);
  });

  it('is free again after a process that gave up inside', async () => {
    await expect(run('dying')).rejects.toMatchObject({ code: 1 });
    await run('next');
    expect(readFileSync(notesPath(), 'utf8')).toBe('dying in\nnext in\nnext out\n');
  });
});
