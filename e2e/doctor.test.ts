import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hold, textReply } from '../src/testing/index.ts';
import { overwrite } from './support/overwrite.ts';
import { type CommandEnd, flower } from './support/source-command.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

function command(...args: string[]): Promise<CommandEnd> {
  const place = ['-w', stage.workspace, '-r', stage.runDir];
  return flower([...place, ...args], { cwd: stage.home.path, env: stage.home.env });
}

describe('flower doctor', () => {
  it('tells what would go on, and exits 0 when nothing is wrong', async () => {
    stage.say('One is done.', 'Two is done.');
    const { ctx } = await stage.run('pair');

    const { code, stdout, stderr } = await command('doctor');

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('The database is sound');
    expect(stdout).toContain(`Step "pair/two" speaks again: session ${ctx._sessions['two']}`);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Nothing is wrong.');
    expect(stage.requests).toHaveLength(2);
  });

  it('says that the database is damaged and exits 1; --clean mends it', async () => {
    stage.say('One is done.', 'Two is done.', 'One again.', 'Two again.');
    const { ctx } = await stage.run('pair');
    const path = join(stage.runDir, 'sessions.db');
    overwrite(path, statSync(path).size - 8192, 8192);
    const damaged = readFileSync(path);

    const look = await command('doctor');
    const dry = await command('doctor', '--clean', '--dry-run');
    expect(readFileSync(path).equals(damaged)).toBe(true);
    const clean = await command('doctor', '--clean', '--json');

    expect([look.code, dry.code, clean.code]).toEqual([1, 1, 0]);
    expect(look.stdout).toMatch(/BAD +The database is damaged/);
    expect(dry.stdout).toContain('This is what --clean would do:');
    expect(JSON.parse(clean.stdout)).toMatchObject({
      runDir: stage.runDir,
      dryRun: false,
      cleaned: [{ code: 'database-mended', names: [expect.stringContaining('.damaged-')] }],
    });
    const second = await stage.run('pair');
    expect(second.ctx._sessions).toEqual(ctx._sessions);
    expect(stage.heard(2)).toContain('One is done.');
  });

  it('refuses to clean where a run lives, and names it', async () => {
    stage.say(hold('one', textReply('One is done.')), 'Two is done.');
    const host = stage.start('pair');
    await stage.held('one');

    const look = await command('doctor');
    const { code, stderr } = await command('doctor', '--clean');

    expect(look.stdout).toContain(`A run lives here: process ${host.pid}`);
    expect(code).toBe(75);
    expect(stderr).toContain(`is in use by process ${host.pid}`);
    stage.api.release('one');
    expect((await host.end()).exitCode).toBe(0);
  });

  it.each([
    [['--dry-run'], '--dry-run needs --clean.'],
    [['--clean', '--older-than', '3'], '--older-than is "3"; it must be an age'],
    [['--clean', '--larger-than', 'big'], '--larger-than is "big"; it must be a size'],
  ])('%j is wrong use', async (args, text) => {
    const { code, stderr } = await command('doctor', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

describe('flower status', () => {
  it('names the records near by when there are none here', async () => {
    stage.say('One is done.', 'Two is done.');
    await stage.run('pair');
    const args = ['status', '-w', stage.workspace, '-r', join(stage.home.path, 'other')];

    const { stdout } = await flower(args, { cwd: stage.home.path, env: stage.home.env });

    expect(stdout).toMatch(/^Nothing to continue: /);
    expect(stdout).toContain(`${stage.runDir} of ${stage.workspace}`);
  });

  it('tells size and cache of what goes on, and which waking it would be', async () => {
    stage.say('One is done.', 'Two is done.');
    await stage.run('pair');

    const { stdout } = await command('status', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      woke: 1,
      nearby: [],
      steps: [
        { step: 'pair/one', context: 100, cache: 'cold' },
        { step: 'pair/two', context: 100, cache: 'cold' },
      ],
    });
    expect((await command('status')).stdout).toContain('the next run is waking 2');
  });
});
