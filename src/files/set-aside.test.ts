import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectories } from './__fixtures__/temporary-directory.ts';
import { setAside } from './set-aside.ts';

const makeDirectory = temporaryDirectories();
const at = new Date(2026, 0, 2, 3, 4, 5);

describe('setAside', () => {
  it('moves the file to a name with reason and local time', () => {
    const path = join(makeDirectory(), 'lineage.json');
    writeFileSync(path, 'broken');
    const target = setAside(path, 'damaged', { at });
    expect(target).toBe(`${path}.damaged-20260102-030405`);
    expect(readFileSync(target, 'utf8')).toBe('broken');
  });

  it('moves the companions that exist under the same new name', () => {
    const folder = makeDirectory();
    const path = join(folder, 'a.db');
    for (const suffix of ['', '-wal', '-shm', '-other']) writeFileSync(path + suffix, suffix);
    setAside(path, 'damaged', { companions: ['-wal', '-shm', '-journal'], at });
    expect(readdirSync(folder).sort()).toEqual([
      'a.db-other',
      'a.db.damaged-20260102-030405',
      'a.db.damaged-20260102-030405-shm',
      'a.db.damaged-20260102-030405-wal',
    ]);
  });

  it('overwrites neither an earlier file nor a companion of one', () => {
    const folder = makeDirectory();
    const path = join(folder, 'a.db');
    const taken = ['a.db.damaged-20260102-030405', 'a.db.damaged-20260102-030405-2-wal'];
    for (const name of taken) writeFileSync(join(folder, name), 'earlier');
    writeFileSync(path, 'now');
    const target = setAside(path, 'damaged', { companions: ['-wal'], at });
    expect(target).toBe(`${path}.damaged-20260102-030405-3`);
    expect(taken.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([
      'earlier',
      'earlier',
    ]);
  });

  it('moves a folder with its content', () => {
    const path = join(makeDirectory(), 'brief.md');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'kept');
    const target = setAside(path, 'foreign', { at });
    expect(readFileSync(join(target, 'inside'), 'utf8')).toBe('kept');
  });

  it('leaves no trace when there is nothing to move', () => {
    const folder = makeDirectory();
    expect(() => setAside(join(folder, 'absent'), 'damaged')).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});
