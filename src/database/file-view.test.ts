import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { FileView } from './file-view.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import { wasViewWritten } from './view-file.ts';

const temporaryDirectory = temporaryDirectories();
let database: RunDatabase;
let path: string;
let text: string;
let renders: number;
let failures: unknown[];

beforeEach(() => {
  const directory = temporaryDirectory();
  database = openRunDatabase(join(directory, 'sessions.db'));
  path = join(directory, 'view.json');
  text = 'first';
  renders = 0;
  failures = [];
});

afterEach(() => {
  vi.useRealTimers();
  database.close();
});

function view(at: string = path): FileView {
  return new FileView({
    database,
    path: at,
    file: 'view',
    render: () => {
      renders += 1;
      return text;
    },
    onFailure: (error) => failures.push(error),
  });
}

describe('FileView', () => {
  it('writes once for a burst of updates', () => {
    vi.useFakeTimers();
    const shown = view();
    for (let count = 0; count < 100; count += 1) shown.update();
    text = 'last';
    vi.runAllTimers();
    expect(readFileSync(path, 'utf8')).toBe('last');
    expect(renders).toBe(1);
  });

  it('flush writes what is due, and nothing when nothing is due', () => {
    const shown = view();
    shown.flush();
    expect(renders).toBe(0);
    shown.update();
    shown.flush();
    shown.flush();
    expect(renders).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('first');
  });

  it('tells its own writing from a foreign one', () => {
    const shown = view();
    expect(shown.read()).toEqual({ kind: 'absent' });
    shown.update();
    shown.flush();
    expect(shown.read()).toEqual({ kind: 'ours', text: 'first' });
    text = 'second';
    shown.update();
    shown.flush();
    writeFileSync(path, 'first');
    expect(shown.read()).toEqual({ kind: 'ours', text: 'first' });
    writeFileSync(path, 'edited');
    expect(shown.read()).toEqual({ kind: 'foreign', text: 'edited' });
  });

  it('knows what another connection wrote', () => {
    const other = openRunDatabase(database.path);
    try {
      const shown = new FileView({
        database: other,
        path,
        file: 'view',
        render: () => 'from the other',
        onFailure: () => undefined,
      });
      shown.update();
      shown.flush();
    } finally {
      other.close();
    }
    expect(view().read().kind).toBe('ours');
  });

  it('takes what it cannot read for foreign', () => {
    mkdirSync(path);
    expect(view().read()).toEqual({ kind: 'foreign', text: '' });
  });

  it('an accepted text is its own from then on', () => {
    writeFileSync(path, 'edited');
    view().accept('edited');
    expect(view().read().kind).toBe('ours');
  });

  it('forgets that it ever wrote', () => {
    const shown = view();
    shown.update();
    shown.flush();
    expect(wasViewWritten(database.connection, 'view')).toBe(true);
    shown.forget();
    expect(wasViewWritten(database.connection, 'view')).toBe(false);
    expect(shown.read().kind).toBe('foreign');
  });

  it('reports a write that fails and tries again at the next update', () => {
    const folder = join(path, '..', 'later');
    const shown = view(join(folder, 'view.json'));
    shown.update();
    shown.flush();
    expect(failures).toHaveLength(1);
    mkdirSync(folder);
    shown.update();
    shown.flush();
    expect(readFileSync(join(folder, 'view.json'), 'utf8')).toBe('first');
  });
});
