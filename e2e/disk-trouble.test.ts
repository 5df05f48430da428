import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowerEvent } from '../src/index.ts';
import { hold, textReply } from '../src/testing/index.ts';
import { type Disk, type DiskKind, diskKinds, makeDisk } from './support/disks.ts';
import { asOrdinaryUser } from './support/ordinary-user.ts';
import { overwrite } from './support/overwrite.ts';
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
    return () => disk.remove();
  });

  it('at the start: refused before anything is spent', async () => {
    disk.fill();

    const error = await stage.refused('pair', { through: disk.full });

    expect(error).toMatchObject({ code: 'run-dir-unwritable', params: { path: stage.runDir } });
    expect(stage.requests).toHaveLength(0);
  });

  it('in the middle: said loudly, the work goes on, and all is written once there is room', async () => {
    stage.say(hold('one', textReply('One is done.')), hold('two', textReply('Two is done.')));
    const host = stage.start('pair');
    await stage.held('one');
    disk.fill(host);
    stage.api.release('one');
    await host.event('alarm', ({ code }) => code === 'write-failed');
    disk.free(host);
    await stage.held('two');
    stage.api.release('two');

    const { ctx, exitCode, events } = await host.end();

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
      'pair/one': ctx?._sessions['one'],
      'pair/two': ctx?._sessions['two'],
    });
  });

  it('rows that only Claude Code could keep are taken in at the next wake', async () => {
    stage.say(hold('one', textReply('One is done.')), hold('two', textReply('Two is done.')));
    const host = stage.start('pair');
    await stage.held('one');
    disk.fill(host);
    stage.api.release('one');
    await host.event('alarm', ({ code }) => code === 'write-failed');
    disk.free(host);
    await stage.held('two');
    stage.api.release('two');
    const first = await host.end();
    expect(answersStored('One is done.')).toBe(0);
    stage.say('One again.', 'Two again.');

    const second = await stage.run('pair');

    expect(second.ctx._sessions).toEqual(first.ctx?._sessions);
    expect(stage.heard(2)).toContain('One is done.');
    expect(answersStored('One is done.')).toBe(1);
    expect(codesOf(second.events, 'alarm')).toEqual([]);
  });

  it('to the bitter end: a killed run goes on from where its agent got', async () => {
    stage.say(hold('one', textReply('One is done.')), hold('never', textReply('Never heard.')));
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
