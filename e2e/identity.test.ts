import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowerEvent } from '../src/index.ts';
import { hold, textReply, toolReply } from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

function noticesOf(events: readonly FlowerEvent[]): (readonly [string, object])[] {
  return events.flatMap((event) =>
    event.type === 'notice' ? [[event.code, event.params] as const] : [],
  );
}

function runStart(events: readonly FlowerEvent[]): Extract<FlowerEvent, { type: 'run-start' }> {
  const found = events.find((event) => event.type === 'run-start');
  if (found === undefined) throw new Error('The run did not start.');
  return found;
}

/** A new directory of the stage. */
function directory(name: string): string {
  const path = join(stage.home.path, name);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('one workspace by several names', () => {
  it('a symbolic link is the same workspace and continues the conversation', async () => {
    const link = join(stage.home.path, 'link');
    symlinkSync(stage.workspace, link);
    stage.say('One is done.', 'One again.');
    const first = await stage.run('unnamed', { workspace: link });

    const second = await stage.run('unnamed');

    expect(second.ctx._sessions).toEqual(first.ctx._sessions);
    expect(stage.heard(1)).toContain('One is done.');
    expect(stage.lineage()?.workspace).toBe(stage.workspace);
    expect(noticesOf(second.events)).toEqual([]);
  });
});

describe('two workspaces with one project key in one run directory', () => {
  it('each continues its own conversation, turn by turn', async () => {
    const [dotted, scored] = [directory('p/a.b'), directory('p/a_b')];
    stage.say('Dotted one.', 'Scored one.', 'Dotted two.', 'Scored two.');

    const ends = [];
    for (const workspace of [dotted, scored, dotted, scored]) {
      ends.push(await stage.run('unnamed', { workspace }));
    }

    const [first, second, third, fourth] = ends.map(({ ctx }) => ctx);
    expect(third?._sessions).toEqual(first?._sessions);
    expect(fourth?._sessions).toEqual(second?._sessions);
    expect(second?._sessions).not.toEqual(first?._sessions);
    expect(ends.map(({ ctx }) => ctx._woke)).toEqual([1, 1, 2, 2]);
    expect(stage.heard(1)).not.toContain('Dotted one.');
    expect(stage.heard(2)).toContain('Dotted one.');
    expect(stage.heard(2)).not.toContain('Scored one.');
    expect(stage.heard(3)).toContain('Scored one.');
    expect(stage.heard(3)).not.toContain('Dotted');
    expect(ends.flatMap(({ events }) => noticesOf(events)).map(([code]) => code)).toEqual([
      'conversation-absent',
    ]);
  });

  it('a live run of one keeps its lineage when the other begins', async () => {
    const [dotted, scored] = [directory('p/a.b'), directory('p/a_b')];
    stage.say(hold('one', textReply('Dotted one.')), 'Other one.');
    const live = stage.start('pair', { workspace: dotted });
    await stage.held('one');
    await stage.run('other', { workspace: scored });
    stage.say('Dotted two.');
    stage.api.release('one');
    const { ctx } = await live.end();

    stage.say('Scored pair one.', 'Scored pair two.', 'Again one.', 'Again two.');
    const foreign = await stage.run('pair', { workspace: scored });
    const own = await stage.run('pair', { workspace: dotted });

    expect(foreign.ctx._sessions).not.toEqual(ctx?._sessions);
    expect(own.ctx._sessions).toEqual(ctx?._sessions);
  });

  it("refuses to resume the other one's session by its id", async () => {
    const [dotted, scored] = [directory('p/a.b'), directory('p/a_b')];
    stage.say('Dotted one.');
    const { ctx } = await stage.run('unnamed', { workspace: dotted });
    const variant = ctx._sessions['one'] ?? '';

    const error = await stage.refused('resuming', { workspace: scored, variant });

    expect(error).toMatchObject({ code: 'session-unknown', params: { session: variant } });
    expect(stage.requests).toHaveLength(1);
  });
});

describe('a copied directory', () => {
  it('leaves the live run of the original alone', async () => {
    stage.say(hold('one', textReply('One is done.')), 'Two is done.');
    const live = stage.start('pair');
    await stage.held('one');
    const copy = directory('copy');
    cpSync(stage.runDir, join(copy, 'runs'), { recursive: true });
    const workspace = directory('copy/workspace');
    stage.say('Copied one.', 'Copied two.');

    const second = await stage.run('pair', { workspace, runDir: join(copy, 'runs') });

    expect(second.exitCode).toBe(0);
    expect(live.isOver).toBe(false);
    expect(noticesOf(second.events).map(([code]) => code)).toEqual(['conversation-absent']);
    stage.say('Two is done.');
    stage.api.release('one');
    const { ctx, exitCode } = await live.end();
    expect(exitCode).toBe(0);
    expect(ctx).toMatchObject({ one: 'One is done.' });
  });

  it('is not taken for a moved one: --moved starts from zero and says so', async () => {
    stage.say('One is done.', 'One anew.');
    await stage.run('unnamed');
    const workspace = directory('copy/workspace');
    const runDir = join(stage.home.path, 'copy/runs');
    cpSync(stage.runDir, runDir, { recursive: true });

    const second = await stage.run('unnamed', { workspace, runDir, run: { moved: true } });

    expect(stage.heard(1)).not.toContain('One is done.');
    expect(noticesOf(second.events)).toEqual([
      ['conversation-absent', expect.objectContaining({ workspace: stage.workspace })],
    ]);
  });
});

describe('a moved directory', () => {
  let workspace: string;
  let runDir: string;
  let sessions: Readonly<Record<string, string>>;

  beforeEach(async () => {
    stage.say('One is done.');
    const first = await stage.run('unnamed');
    sessions = first.ctx._sessions;
    workspace = join(directory('new'), 'workspace');
    runDir = join(stage.home.path, 'new/runs');
    renameSync(stage.workspace, workspace);
    renameSync(stage.runDir, runDir);
    stage.say('One anew.', 'One again.', 'And again.');
  });

  /** Names of the lineages that were moved aside. */
  const setAside = (): string[] =>
    readdirSync(runDir).filter((name) => name.startsWith('lineage.json.'));

  it('starts from zero, names the old path in one line, and sets the lineage aside', async () => {
    const before = readFileSync(join(runDir, 'lineage.json'), 'utf8');

    const second = await stage.run('unnamed', { workspace, runDir });

    expect(second.exitCode).toBe(0);
    expect(stage.heard(1)).not.toContain('One is done.');
    expect(runStart(second.events)).toMatchObject({ resumed: false, continues: [], woke: 1 });
    const [aside = ''] = setAside();
    expect(noticesOf(second.events)).toEqual([
      ['workspace-moved', { workspace: stage.workspace, path: join(runDir, aside) }],
    ]);
    expect(readFileSync(join(runDir, aside), 'utf8')).toBe(before);
  });

  it('--moved continues it', async () => {
    const second = await stage.run('unnamed', { workspace, runDir, run: { moved: true } });

    expect(second.ctx._sessions).toEqual(sessions);
    expect(second.ctx._woke).toBe(2);
    expect(stage.heard(1)).toContain('One is done.');
    expect(stage.lineage(runDir)).toMatchObject({ workspace, woke: 2, steps: sessions });
    expect(noticesOf(second.events)).toEqual([]);
    const third = await stage.run('unnamed', { workspace, runDir });
    expect(third.ctx._sessions).toEqual(sessions);
  });

  it('--moved continues it after a run without it, whose lineage is kept aside', async () => {
    const mistaken = await stage.run('unnamed', { workspace, runDir });

    const second = await stage.run('unnamed', { workspace, runDir, run: { moved: true } });

    expect(mistaken.ctx._sessions).not.toEqual(sessions);
    expect(second.ctx._sessions).toEqual(sessions);
    expect(stage.heard(2)).toContain('One is done.');
    expect(stage.heard(2)).not.toContain('One anew.');
    expect(setAside()).toHaveLength(2);
    const third = await stage.run('unnamed', { workspace, runDir, run: { moved: true } });
    expect(third.ctx._sessions).toEqual(sessions);
    expect(stage.heard(3)).toContain('One again.');
  });
});

describe('a directory that was moved after a kill', () => {
  it('--moved goes on in the cut turn and counts its cost', async () => {
    const bash = { name: 'Bash', input: { command: 'echo 1 >started; sleep 600' } };
    stage.say(toolReply(bash, { text: 'The long part.' }));
    const host = stage.start('work');
    await stage.file('started');
    const { sessionId } = await host.event('attempt-start');
    await stage.kill(host);
    const workspace = join(directory('new'), 'workspace');
    const runDir = join(stage.home.path, 'new/runs');
    renameSync(stage.workspace, workspace);
    renameSync(stage.runDir, runDir);
    stage.say('All done.');

    const { ctx } = await stage.run('work', { workspace, runDir, run: { moved: true } });

    expect(ctx._sessions['work']).toBe(sessionId);
    expect(stage.heard(1)).toContain('The long part.');
    const [killed] = stage.manifest(runDir);
    expect(killed).toMatchObject({ error: 'killed-by-signal', session_id: sessionId });
    expect(killed?.tokens).toMatchObject({ input_tokens: 100, output_tokens: 20 });
  });
});

describe('a workspace that is gone', () => {
  it('is named at the start, before anything is spent', async () => {
    rmSync(stage.workspace, { recursive: true });

    const error = await stage.refused('unnamed');

    expect(error).toMatchObject({ code: 'workspace-missing', params: { path: stage.workspace } });
    expect(existsSync(stage.runDir)).toBe(false);
  });

  it('is named when it goes away between two steps, and nothing is tried again', async () => {
    stage.say('One is done.');
    const host = stage.start('between');
    await stage.signal('between');
    rmSync(stage.workspace, { recursive: true });
    stage.letGo('between');

    const { ctx, events } = await host.end();

    expect(ctx?._failedAt).toBe('two');
    const failed = stage.manifest().at(-1);
    expect(failed?.error).toContain(`The workspace ${stage.workspace} is not a directory.`);
    expect(failed).toMatchObject({ step: 'two', ok: false, cost_usd: 0 });
    expect(stage.requests).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'attempt-start')).toHaveLength(2);
  });
});
