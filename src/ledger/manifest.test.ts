import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { forkReadyScripts, endForkedScripts } from '../files/__fixtures__/fork-script.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { AttemptRows } from './attempt-rows.ts';
import { Manifest } from './manifest.ts';
import { type ManifestRow, manifestRow } from './manifest-row.ts';

const temporaryDirectory = temporaryDirectories();
const host = { pid: process.pid, start: 'now' };
const python = {
  step: '干活#round2',
  session_id: '11111111-1111-4111-8111-111111111111',
  ok: true,
  cost_usd: 1.25,
  num_turns: 3,
  text: '完成',
  error: null,
  started_at: 1_757_000_000.5,
  ended_at: 1_757_000_100,
  attempts: 2,
  errors: ['ENOTFOUND'],
  resumed: true,
  retired: [],
  context: 80_200,
  duration_s: 99.5,
  run: '20250904-120000-abcdef',
  something_new: { kept: true },
};
let path: string;
let database: RunDatabase;
let rows: AttemptRows;
let setAsides: string[];
let failures: unknown[];
let manifest: Manifest;

beforeEach(() => {
  const directory = temporaryDirectory();
  path = join(directory, 'manifest.json');
  database = openRunDatabase(join(directory, 'sessions.db'));
  rows = new AttemptRows(database);
  setAsides = [];
  failures = [];
  manifest = new Manifest({
    database,
    rows,
    path,
    onWriteFailure: (error) => failures.push(error),
    onSetAside: (target) => setAsides.push(target),
  });
});

afterEach(() => {
  endForkedScripts();
  database.close();
});

function row(step: string, run = 'run-1'): ManifestRow {
  return manifestRow.parse({ run, step });
}

function addRow(step: string, run = 'run-1'): void {
  rows.close(rows.open(row(step, run), host), row(step, run));
  manifest.update();
}

function file(): unknown[] {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return Array.isArray(parsed) ? parsed : [];
}

function steps(): unknown[] {
  return file().map((value) => manifestRow.parse(value).step);
}

describe('Manifest', () => {
  it('is not there before a row is closed', () => {
    rows.open(row('one'), host);
    manifest.takeIn();
    manifest.flush();
    expect(existsSync(path)).toBe(false);
  });

  it('is an indented JSON array of the closed rows, oldest first', () => {
    addRow('one');
    addRow('two');
    manifest.flush();
    expect(steps()).toEqual(['one', 'two']);
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(file(), null, 2)}\n`);
  });

  it('keeps the rows of a Python flower as they are, before its own', () => {
    writeFileSync(path, JSON.stringify([python]));
    manifest.takeIn();
    addRow('one');
    manifest.flush();
    expect(file()[0]).toEqual(python);
    expect(steps()).toEqual(['干活#round2', 'one']);
  });

  it('takes in what was added while it ran, once', () => {
    addRow('one');
    manifest.flush();
    writeFileSync(path, JSON.stringify([...file(), python]));
    addRow('two');
    manifest.flush();
    manifest.takeIn();
    addRow('three');
    manifest.flush();
    expect(steps()).toEqual(['one', 'two', '干活#round2', 'three']);
  });

  it('is written again from the database when it was edited or lost', () => {
    addRow('one');
    manifest.flush();
    writeFileSync(path, JSON.stringify([{ ...row('one'), text: 'edited' }]));
    addRow('two');
    manifest.flush();
    expect(file()).toMatchObject([{ text: '' }, { step: 'two' }]);
  });

  it('is written at the next start when a kill came before the writing', () => {
    rows.close(rows.open(row('one'), host), row('one'));
    manifest.takeIn();
    manifest.flush();
    expect(steps()).toEqual(['one']);
  });

  it.each(['{"not":"a list"}', 'no json', '', 'null'])('sets %j aside whole', (text) => {
    writeFileSync(path, text);
    addRow('one');
    manifest.flush();
    expect(steps()).toEqual(['one']);
    expect(setAsides).toHaveLength(1);
    expect(readFileSync(setAsides[0] ?? '', 'utf8')).toBe(text);
  });

  it('keeps rows beside entries that are none, and the whole file beside', () => {
    const text = JSON.stringify([python, 'not a row', { step: 'without a run' }]);
    writeFileSync(path, text);
    manifest.takeIn();
    manifest.flush();
    expect(file()).toEqual([python]);
    expect(readFileSync(setAsides[0] ?? '', 'utf8')).toBe(text);
  });

  it('reads old and odd rows with defaults for what they lack', () => {
    writeFileSync(path, JSON.stringify([{ run: 'old', step: 'one', cost_usd: 'much', errors: 1 }]));
    manifest.takeIn();
    addRow('two');
    manifest.flush();
    expect(file()[0]).toMatchObject({ run: 'old', cost_usd: 0, errors: [], attempts: 1 });
  });

  it('several processes lose no row and leave a whole file', async () => {
    const script = new URL('./__fixtures__/close-rows.ts', import.meta.url);
    const names = ['a', 'b', 'c'];
    const { children } = await forkReadyScripts(
      script,
      names.map((name) => [path, name, '15']),
    );
    for (const child of children) child.send('go');
    await Promise.all(children.map((child) => child.finished()));
    expect(new Set(steps()).size).toBe(45);
    expect(steps()).toHaveLength(45);
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
