import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endForkedScripts, forkReadyScripts } from './__fixtures__/fork-script.ts';
import { temporaryDirectories } from './__fixtures__/temporary-directory.ts';
import { writeFileDurably } from './atomic-write.ts';

const makeDirectory = temporaryDirectories();
afterEach(endForkedScripts);

/** A number that belonged to a process which has ended. */
const deadPid = spawnSync(process.execPath, ['--version']).pid;

function plant(folder: string, name: string, ageS: number): void {
  writeFileSync(join(folder, name), 'half');
  const time = Date.now() / 1000 - ageS;
  utimesSync(join(folder, name), time, time);
}

describe('writeFileDurably', () => {
  it('replaces the whole text and leaves nothing else in the folder', () => {
    const folder = makeDirectory();
    const path = join(folder, 'lineage.json');
    writeFileDurably(path, 'a long first text');
    writeFileDurably(path, 'second');
    expect(readFileSync(path, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['lineage.json']);
  });

  it.each([
    [undefined, 0o600],
    [0o644, 0o644],
    [0o666, 0o666],
  ])('with mode %o the file has mode %o, whatever the umask', (mode, expected) => {
    const path = join(makeDirectory(), 'file');
    writeFileDurably(path, '', mode === undefined ? {} : { mode });
    expect(statSync(path).mode & 0o777).toBe(expected);
  });

  it('leaves no temporary file when the rename fails', () => {
    const folder = makeDirectory();
    mkdirSync(join(folder, 'taken'));
    expect(() => {
      writeFileDurably(join(folder, 'taken'), 'text');
    }).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('removes what a dead writer of the same file left behind', () => {
    const folder = makeDirectory();
    plant(folder, `.a.json.${deadPid}-0123456789ab.tmp`, 120);
    plant(folder, `.a.json.${process.pid}-0123456789ab.tmp`, 120);
    writeFileDurably(join(folder, 'a.json'), '{}');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it.each([
    ['a live writer', `.a.json.${process.ppid}-0123456789ab.tmp`, 120],
    ['a young file', `.a.json.${deadPid}-0123456789ab.tmp`, 5],
    ['another file', `.b.json.${deadPid}-0123456789ab.tmp`, 120],
    ['a name of somebody else', `.a.json.${deadPid}.tmp`, 120],
  ])('keeps the temporary file of %s', (_what, name, ageS) => {
    const folder = makeDirectory();
    plant(folder, name, ageS);
    writeFileDurably(join(folder, 'a.json'), '{}');
    expect(readdirSync(folder).sort()).toEqual([name, 'a.json'].sort());
  });

  it('never shows a torn file while several processes write it', async () => {
    const folder = makeDirectory();
    const path = join(folder, 'shared');
    const script = new URL('./__fixtures__/write-often.ts', import.meta.url);
    writeFileDurably(path, 'z'.repeat(50_000));
    const lists = ['a', 'b', 'c'].map((letter) => [path, letter]);
    const { children: writers } = await forkReadyScripts(script, lists);
    const seen = new Set<string>();
    const deadline = Date.now() + 20_000;
    while (seen.size < 3 && Date.now() < deadline) {
      const text = readFileSync(path, 'utf8');
      expect(text).toBe((text[0] ?? '').repeat(50_000));
      if (text[0] !== 'z') seen.add(text[0] ?? '');
    }
    for (const writer of writers) writer.send('stop');
    await Promise.all(writers.map((writer) => writer.finished()));
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    expect(readdirSync(folder)).toEqual(['shared']);
  }, 60_000);
});
