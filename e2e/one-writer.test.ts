import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processStart } from '../src/claude/process-tree.ts';
import { hold, textReply, toolReply } from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';
import { isRunning } from './support/processes.ts';
import { storedRows } from './support/stored-rows.ts';
import { until } from './support/until.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Work' } });

const startOf = (pid: number): string => processStart(pid) ?? '';

/** A stopped process shows no sign of life: as if it had been stopped long ago. */
function letTimePass(): void {
  const database = new Database(join(stage.runDir, 'sessions.db'));
  database.prepare('UPDATE leases SET beat_at = 0').run();
  database.close();
}

/** Stops a host between two writes: one that is stopped in the middle of one locks everybody out. */
async function stop(pid: number): Promise<void> {
  await until('a moment without a write', () => {
    process.kill(pid, 'SIGSTOP');
    const database = new Database(join(stage.runDir, 'sessions.db'), { timeout: 0 });
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return true;
    } catch {
      process.kill(pid, 'SIGCONT');
      return false;
    } finally {
      database.close();
    }
  });
}

describe('a process that was stopped', () => {
  it('keeps its flow for a moment', async () => {
    stage.say(hold('cut', textReply('Never heard.')));
    const first = stage.start('work');
    await stage.held('cut');
    await stop(first.pid);

    const refusal = await stage.refused('work');

    expect(refusal).toMatchObject({ code: 'busy', params: { pid: first.pid } });
    process.kill(first.pid, 'SIGCONT');
  });

  it('loses its flow to the next one, and can write nothing when it wakes', async () => {
    stage.say(
      toolReply(bash('echo 1 >>effects; touch started; sleep 600'), { text: 'I begin.' }),
      'All done.',
    );
    const first = stage.start('work');
    await stage.file('started');
    const { sessionId } = await first.event('attempt-start');
    const below = first.descendants();
    await stop(first.pid);
    letTimePass();

    const second = await stage.run('work');

    expect(second.ctx).toMatchObject({ work: expect.stringContaining('All done.'), _woke: 2 });
    expect(second.ctx._sessions).toEqual({ work: sessionId });
    const rows = storedRows(stage.runDir).length;
    const manifest = stage.manifest();
    expect(stage.rows()).toEqual(['work killed-by-signal', 'work ok']);

    process.kill(first.pid, 'SIGCONT');
    const end = await first.end();

    expect(end.error).toMatchObject({ code: 'lease-lost' });
    expect(storedRows(stage.runDir)).toHaveLength(rows);
    expect(stage.manifest()).toEqual(manifest);
    await until('the end of all that it had started', () => !below.some(isRunning));
  });
});

describe('an agent whose own process dies', () => {
  it('is started again in the same session, and its tools are gone', async () => {
    stage.say(
      toolReply(bash('echo $$ >tool; echo $PPID >agent; sleep 600'), { text: 'I begin.' }),
      'All done.',
    );
    const host = stage.start('work');
    const tool = Number(await stage.file('tool'));
    const agent = Number(await stage.file('agent'));
    process.kill(agent, 'SIGKILL');

    const end = await host.end();

    expect(end.ctx).toMatchObject({ work: expect.stringContaining('All done.'), _woke: 1 });
    expect(new Set(stage.requests.map((request) => request.sessionId)).size).toBe(1);
    expect(stage.request(-1).toolResults.at(-1)?.text).toContain('outcome is unknown');
    await until('the end of the tool', () => !isRunning({ pid: tool, start: startOf(tool) }));
  });
});

describe('host and watcher killed together', () => {
  it('leave an agent that the next wake ends before it goes on', async () => {
    stage.say(
      toolReply(bash('(setsid sleep 600 & echo $! >daemon); touch started; sleep 600')),
      'All done.',
    );
    const host = stage.start('work');
    await stage.file('started');
    const daemon = Number(await stage.file('daemon'));
    const below = host.descendants();
    // The watcher goes first, so that nobody is left to see the host die.
    const watcher = below.filter(
      ({ pid }) => !stage.processes().some((known) => known.pid === pid),
    );
    for (const { pid } of watcher) process.kill(pid, 'SIGKILL');
    await host.kill();
    const start = startOf(daemon);
    expect(isRunning({ pid: daemon, start })).toBe(true);

    const { events } = await stage.run('work');

    expect(isRunning({ pid: daemon, start })).toBe(false);
    expect(below.some(isRunning)).toBe(false);
    expect(events.some((event) => event.type === 'notice' && event.code === 'orphans-ended')).toBe(
      true,
    );
  });
});

describe('a server that an agent leaves running', () => {
  it('is listed and ended at the normal end of the step', async () => {
    stage.say(
      toolReply(bash('nohup sleep 600 >/dev/null 2>&1 & echo $! >server')),
      'The server runs.',
    );
    const { ctx, events } = await stage.run('work');
    expect(ctx).toMatchObject({ work: 'The server runs.' });
    const notice = events.find(
      (event) => event.type === 'notice' && event.code === 'orphans-ended',
    );
    expect(notice).toMatchObject({ params: { what: expect.stringContaining('sleep 600') } });
    const server = Number(await stage.file('server'));
    expect(isRunning({ pid: server, start: startOf(server) })).toBe(false);
  });
});
