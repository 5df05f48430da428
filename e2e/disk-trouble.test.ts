import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowerEvent } from '../src/index.ts';
import { hold, textReply } from '../src/testing/index.ts';
import { type Disk, type DiskKind, diskKinds, makeDisk } from './support/disks.ts';
import { asOrdinaryUser } from './support/ordinary-user.ts';
import { overwrite } from './support/overwrite.ts';
import type { HostEnd } from './support/host.ts';
import { Stage } from './support/stage.ts';
import { storedRows } from './support/stored-rows.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

function codesOf(events: readonly FlowerEvent[], type: 'alarm' | 'notice'): string[] {
  return events.flatMap((event) => (event.type === type ? [event.code] : []));
}

function alarmsOfRow(place: number): unknown {
  return (stage.manifest()[place] as { alarms?: unknown } | undefined)?.alarms;
}

/** How many answers with just this text the database holds. */
function answersStored(text: string): number {
  const block = `"content":[{"type":"text","text":"${text}"}]`;
  return storedRows(stage.runDir).filter((row) => row.includes(block)).length;
}

describe.each(diskKinds)('a full disk, by %s', (kind: DiskKind) => {
  let disk: Disk;

  beforeEach(() => {
    disk = makeDisk(kind, stage.runDir);
  });

  afterEach(() => disk.remove());

  it('at the start: refused before anything is spent', async () => {
    disk.fill();

    const error = await stage.refused('pair', { through: disk.full });

    expect(error).toMatchObject({ code: 'run-dir-unwritable', params: { path: stage.runDir } });
    expect(stage.requests).toHaveLength(0);
  });

  /** The disk fills up while the first answer is awaited, and is freed between the steps. */
  async function fullInTheFirstStep(): Promise<HostEnd> {
    stage.say(hold('one', textReply('One is done.')), 'Two is done.');
    const host = stage.start('between');
    await stage.held('one');
    disk.fill(host);
    stage.api.release('one');
    await stage.signal('between');
    disk.free(host);
    stage.letGo('between');
    return await host.end();
  }

  it('in the middle: said loudly, the work goes on, and all is written once there is room', async () => {
    const { ctx, exitCode, events } = await fullInTheFirstStep();

    expect(exitCode).toBe(0);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(codesOf(events, 'alarm')).toEqual(
      expect.arrayContaining(['transcript-not-saved', 'write-failed']),
    );
    expect(stage.rows()).toEqual(['one ok', 'two ok']);
    expect(alarmsOfRow(0)).toEqual(
      expect.arrayContaining(['transcript-not-saved', 'write-failed']),
    );
    expect(stage.lineage()?.steps).toEqual({
      'between/one': ctx?._sessions['one'],
      'between/two': ctx?._sessions['two'],
    });
  });

  it('rows that only Claude Code could keep are taken in at the next wake', async () => {
    const first = await fullInTheFirstStep();
    expect(answersStored('One is done.')).toBe(0);
    stage.say('One again.', 'Two again.');

    const second = await stage.run('between');

    expect(second.ctx._sessions).toEqual(first.ctx?._sessions);
    expect(stage.heard(2)).toContain('One is done.');
    expect(answersStored('One is done.')).toBe(1);
    expect(codesOf(second.events, 'alarm')).toEqual([]);
  });

  it('to the bitter end: a killed run goes on from where its agent got', async () => {
    stage.say(hold('one', textReply('One is done.')));
    const host = stage.start('between');
    await stage.held('one');
    disk.fill(host);
    stage.api.release('one');
    await stage.signal('between');
    await stage.kill(host);
    disk.free();
    stage.letGo('between');
    stage.say('Two is done.');

    const { ctx, events } = await stage.run('between');

    expect(ctx).toMatchObject({ one: 'One is done.' });
    expect(codesOf(events, 'notice')).toEqual(
      expect.arrayContaining(['rows-recovered', 'killed-segment']),
    );
    expect(
      stage.requests.filter(({ lastUserText }) => lastUserText.includes('Do one.')),
    ).toHaveLength(1);
  });
});

describe('rights', () => {
  it('a read-only run directory is refused before anything is spent', async () => {
    mkdirSync(stage.runDir);
    const through = asOrdinaryUser(stage.home.path);
    chmodSync(stage.runDir, 0o555);

    const error = await stage.refused('pair', { through });

    expect(error).toMatchObject({ code: 'run-dir-unwritable', params: { path: stage.runDir } });
    expect(stage.requests).toHaveLength(0);
  });

  it('a database that may only be read is refused before anything is spent', async () => {
    stage.say('One is done.', 'Two is done.');
    const through = asOrdinaryUser(stage.home.path);
    await stage.run('pair', { through });
    chmodSync(join(stage.runDir, 'sessions.db'), 0o444);

    const error = await stage.refused('pair', { through });

    expect(error).toMatchObject({ code: 'run-dir-unwritable', params: { path: stage.runDir } });
    expect(stage.requests).toHaveLength(2);
  });

  it('lost in the middle: said loudly, and the work goes on', async () => {
    stage.say(hold('one', textReply('One is done.')), 'Two is done.');
    const through = asOrdinaryUser(stage.home.path);
    const host = stage.start('pair', { through });
    await stage.held('one');
    chmodSync(stage.runDir, 0o555);
    stage.api.release('one');

    const { ctx, exitCode, events } = await host.end();

    chmodSync(stage.runDir, 0o755);
    expect(exitCode).toBe(0);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(codesOf(events, 'alarm')).toContain('write-failed');
    stage.say('One again.', 'Two again.');
    const second = await stage.run('pair', { through });
    expect(second.ctx._sessions).toEqual(ctx?._sessions);
    expect(stage.rows()).toEqual(['one ok', 'two ok', 'one ok', 'two ok']);
  });
});

describe('a database that another process has locked', () => {
  let lock: Database.Database;

  function takeLock(): void {
    lock = new Database(join(stage.runDir, 'sessions.db'));
    lock.exec('BEGIN IMMEDIATE');
  }

  afterEach(() => lock.close());

  it('at the start: said, and worth trying again later', async () => {
    stage.say('One is done.', 'Two is done.');
    await stage.run('pair');
    takeLock();

    const error = await stage.refused('pair');

    const path = join(stage.runDir, 'sessions.db');
    expect(error).toMatchObject({ code: 'database-locked', params: { path } });
    expect(stage.requests).toHaveLength(2);
  });

  it('in the middle: said loudly, and everything is written when it is free', async () => {
    stage.say('One is done.', 'Two is done.');
    const host = stage.start('between');
    await stage.signal('between');
    takeLock();
    stage.letGo('between');
    await host.event('alarm', ({ code }) => code === 'write-failed');
    lock.exec('ROLLBACK');

    const { ctx, exitCode } = await host.end();

    expect(exitCode).toBe(0);
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(stage.rows()).toEqual(['one ok', 'two ok']);
    expect(answersStored('Two is done.')).toBe(1);
    expect(alarmsOfRow(1)).toEqual(['write-failed']);
    expect(stage.lineage()?.steps['between/two']).toBe(ctx?._sessions['two']);
  });
});

describe('a damaged database', () => {
  const path = (): string => join(stage.runDir, 'sessions.db');
  const setAside = (): string[] =>
    readdirSync(stage.runDir).filter((name) => /^sessions\.db\.damaged-[\d-]+$/.test(name));

  async function runOnce(): Promise<Awaited<ReturnType<Stage['run']>>> {
    stage.say('One is done.', 'Two is done.');
    const end = await stage.run('pair');
    stage.say('One again.', 'Two again.');
    return end;
  }

  function expectContinued(second: HostEnd, sessions: unknown): void {
    expect(codesOf(second.events, 'alarm')).toEqual(['database-set-aside']);
    expect(second.ctx?._sessions).toEqual(sessions);
    expect(stage.heard(2)).toContain('One is done.');
    expect(stage.heard(3)).toContain('Two is done.');
    expect(stage.rows()).toEqual(['one ok', 'two ok', 'one ok', 'two ok']);
  }

  it.each<[string, (size: number) => readonly [number, number]]>([
    ['in its first page', () => [0, 4096]],
    ['in the middle', (size) => [Math.floor(size / 2 / 4096) * 4096, 3 * 4096]],
    ['at its end', (size) => [size - 4 * 4096, 4 * 4096]],
    ['everywhere', (size) => [0, size]],
  ])('%s: kept aside whole, and the conversation goes on', async (_where, place) => {
    const { ctx } = await runOnce();
    overwrite(path(), ...place(statSync(path()).size));
    const damaged = readFileSync(path());

    const second = await stage.run('pair');

    expectContinued(second, ctx._sessions);
    const [aside = ''] = setAside();
    expect(readFileSync(join(stage.runDir, aside)).equals(damaged)).toBe(true);
  });

  it('in a text that the structure does not depend on: found, said, and mended', async () => {
    const { ctx } = await runOnce();
    const bytes = readFileSync(path());
    const place = bytes.indexOf('[{"type":"text","text":"One is done."}]');
    expect(place).toBeGreaterThan(0);
    overwrite(path(), place, 8);

    const error = await stage.refused('pair');
    const second = await stage.run('pair');

    expect(error).toMatchObject({ code: 'database-damaged', params: { path: path() } });
    expectContinued(second, ctx._sessions);
  });

  it('while a run has it open: said loudly, and the next wake goes on with all of it', async () => {
    stage.say('One is done.', 'Two is done.');
    const { ctx } = await stage.run('pair');
    stage.say(hold('one', textReply('One again.')), 'Two again.');
    const host = stage.start('pair');
    await stage.held('one');
    for (const file of [path(), `${path()}-wal`]) {
      const { size } = statSync(file);
      overwrite(file, 4096, Math.max(0, size - 4096));
    }
    stage.api.release('one');
    const second = await host.end();
    stage.say('One at last.', 'Two at last.', 'Spare.');

    const third = await stage.run('pair');

    const events = [...second.events, ...third.events];
    expect(codesOf(events, 'alarm')).toContain('database-set-aside');
    expect(setAside()).toHaveLength(1);
    expect(third.ctx._sessions).toEqual(ctx._sessions);
    expect(stage.heard(-2)).toContain('One is done.');
    expect(stage.heard(-2)).toContain('One again.');
    expect(stage.heard(-1)).toContain('Two is done.');
  });
});
