import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowerEvent } from '../src/index.ts';
import { hold, textReply } from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

function noticesOf(events: readonly FlowerEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
}

describe('two finished runs in one directory', () => {
  it('are one conversation: each step speaks again in its session', async () => {
    stage.say('One is done.', 'Two is done.', 'One again.', 'Two again.');

    const first = await stage.run('pair');
    const second = await stage.run('pair');

    expect([first.ctx._woke, second.ctx._woke]).toEqual([1, 2]);
    expect(second.ctx._sessions).toEqual(first.ctx._sessions);
    expect(stage.requests.map((request) => request.sessionId)).toEqual(
      [first, second].flatMap(({ ctx }) => [ctx._sessions['one'], ctx._sessions['two']]),
    );
    expect(stage.heard(2)).toContain('One is done.');
    expect(stage.request(2).lastUserText).toContain('Do one.');
    expect(stage.heard(3)).toContain('Do two after: One is done.');
    expect(stage.request(3).lastUserText).toContain('Two, once more.');
    expect(stage.lineage()).toEqual({
      workspace: stage.workspace,
      woke: 2,
      steps: { 'pair/one': first.ctx._sessions['one'], 'pair/two': first.ctx._sessions['two'] },
    });
    expect(stage.rows()).toEqual(['one ok', 'two ok', 'one ok', 'two ok']);
    const [one, two, oneAgain, twoAgain] = stage.manifest();
    expect(one?.run).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
    expect(two?.run).toBe(one?.run);
    expect(oneAgain?.run).not.toBe(one?.run);
    expect(twoAgain?.run).toBe(oneAgain?.run);
    expect(stage.manifest().every((row) => row.duration_s > 0)).toBe(true);
    expect([...noticesOf(first.events), ...noticesOf(second.events)]).toEqual([]);
  });
});

describe('a mismatch is absence', () => {
  let first: Awaited<ReturnType<Stage['run']>>;

  beforeEach(async () => {
    stage.say('One is done.');
    first = await stage.run('unnamed');
    stage.say('One anew.');
  });

  function lineagePath(runDir = stage.runDir): string {
    return join(runDir, 'lineage.json');
  }

  function lineageWith(id: string): string {
    return JSON.stringify({ workspace: stage.workspace, woke: 1, steps: { one: id } });
  }

  /** Texts of the lineages that were moved aside. */
  function setAside(runDir = stage.runDir): string[] {
    return readdirSync(runDir)
      .filter((name) => name.startsWith('lineage.') && name !== 'lineage.json')
      .map((name) => readFileSync(join(runDir, name), 'utf8'));
  }

  function expectFromZero(second: typeof first, wokeNow: number): void {
    expect(stage.requests).toHaveLength(2);
    expect(stage.heard(1)).not.toContain('One is done.');
    expect(second.ctx).toMatchObject({ one: 'One anew.', _woke: wokeNow });
    expect(second.ctx._sessions['one']).not.toBe(first.ctx._sessions['one']);
    expect(second.events.filter((event) => event.type === 'alarm')).toEqual([]);
  }

  it('a copied directory starts from zero and keeps the foreign lineage beside its own', async () => {
    const copy = join(stage.home.path, 'copy');
    cpSync(stage.workspace, join(copy, 'workspace'), { recursive: true });
    cpSync(stage.runDir, join(copy, 'runs'), { recursive: true });
    const before = readFileSync(lineagePath(), 'utf8');

    const second = await stage.run('unnamed', {
      workspace: join(copy, 'workspace'),
      runDir: join(copy, 'runs'),
    });

    expectFromZero(second, 1);
    expect(noticesOf(second.events)).toEqual(['conversation-absent']);
    expect(setAside(join(copy, 'runs'))).toEqual([before]);
    expect(readFileSync(lineagePath(), 'utf8')).toBe(before);
    expect(stage.lineage(join(copy, 'runs'))?.workspace).toBe(join(copy, 'workspace'));
  });

  it('a lost database starts from zero', async () => {
    for (const name of readdirSync(stage.runDir).filter((file) => file.startsWith('sessions.db'))) {
      rmSync(join(stage.runDir, name));
    }

    const second = await stage.run('unnamed');

    expectFromZero(second, 2);
    expect(noticesOf(second.events)).toEqual(['conversation-absent']);
    expect(stage.rows()).toEqual(['one ok', 'one ok']);
  });

  it('a broken lineage starts from zero and is set aside', async () => {
    writeFileSync(lineagePath(), '{"workspace": ');

    const second = await stage.run('unnamed');

    expectFromZero(second, 1);
    expect(noticesOf(second.events)).toEqual(['file-set-aside']);
    expect(setAside()).toEqual(['{"workspace": ']);
  });

  it('an id that is not in the database opens a new session', async () => {
    writeFileSync(lineagePath(), lineageWith(randomUUID()));

    const second = await stage.run('unnamed');

    expectFromZero(second, 2);
    expect(noticesOf(second.events)).toEqual(['conversation-absent']);
    expect(stage.lineage()?.steps['one']).toBe(second.ctx._sessions['one']);
  });

  it('an id that is no UUID opens a new session, and the file is set aside', async () => {
    const damaged = lineageWith('../../etc/passwd');
    writeFileSync(lineagePath(), damaged);

    const second = await stage.run('unnamed');

    expectFromZero(second, 2);
    expect(noticesOf(second.events)).toEqual(['file-set-aside']);
    expect(setAside()).toEqual([damaged]);
    expect(stage.lineage()?.steps['one']).toBe(second.ctx._sessions['one']);
  });
});

describe('processes side by side', () => {
  it('the same flow is refused with who works there, and nothing is counted or spent', async () => {
    stage.say(hold('busy', textReply('One is done.')), 'Two is done.');
    const host = stage.start('pair');
    await stage.held('busy');

    const error = await stage.refused('pair');

    expect(error).toMatchObject({
      code: 'busy',
      params: { pid: host.pid, since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
    });
    expect(stage.lineage()?.woke).toBe(1);
    expect(stage.requests).toHaveLength(1);
    stage.api.release('busy');
    const { ctx } = await host.end();
    expect(ctx).toMatchObject({ one: 'One is done.', two: 'Two is done.' });
    expect(stage.rows()).toEqual(['one ok', 'two ok']);
  });

  it('different flows lose no row and no lineage entry', async () => {
    stage.answerBy(() => hold('all', textReply('Done.')));
    const hosts = ['pair', 'other', 'unnamed'].map((flow) => stage.start(flow));
    await until('one request of each flow', () => stage.requests.length === 3);

    stage.api.release('all');
    const ends = await Promise.all(hosts.map((host) => host.end()));

    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const [pair, other, unnamed] = ends.map(({ ctx }) => ctx?._sessions);
    expect(stage.lineage()).toEqual({
      workspace: stage.workspace,
      woke: 3,
      steps: {
        'pair/one': pair?.['one'],
        'pair/two': pair?.['two'],
        'other/one': other?.['one'],
        one: unnamed?.['one'],
      },
    });
    expect(stage.rows().sort()).toEqual(['one ok', 'one ok', 'one ok', 'two ok']);
    expect(ends.flatMap(({ events }) => noticesOf(events))).toEqual([]);
  });

  it('eight single agents at the same moment write eight rows', async () => {
    stage.answerBy(() => hold('all', textReply('Here.')));
    const hosts = Array.from({ length: 8 }, () => stage.start('single'));
    await until('eight requests', () => stage.requests.length === 8, 80_000);

    stage.api.release('all');
    const ends = await Promise.all(hosts.map((host) => host.end()));

    expect(ends.map(({ error }) => error)).toEqual(Array(8).fill(undefined));
    expect(stage.rows()).toEqual(Array(8).fill('reader ok'));
    expect(new Set(stage.manifest().map((row) => row.session_id)).size).toBe(8);
    expect(new Set(stage.manifest().map((row) => row.run)).size).toBe(8);
  });
});

describe('half a transcript', () => {
  it('is continued, and said to be half', async () => {
    stage.say(textReply('First.'), textReply('Second.'), textReply('Third.'));
    await stage.run('work');
    await stage.run('work');
    loseFirstTurn();

    const { ctx, events } = await stage.run('work');

    expect(ctx).toMatchObject({ work: 'Third.', _woke: 3 });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'alarm', code: 'transcript-incomplete' }),
    );
  });

  /** Rows that are neither in the database nor in Claude Code's own file any more. */
  function loseFirstTurn(): void {
    const database = new Database(join(stage.runDir, 'sessions.db'));
    const first = `SELECT min(sequence) FROM session_entries WHERE payload LIKE '%First.%'`;
    database.prepare(`DELETE FROM session_entries WHERE sequence <= (${first})`).run();
    database.close();
    rmSync(join(stage.home.configDir, 'projects'), { recursive: true });
  }
});
