import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workflow } from './workflow.ts';
import { runBench } from '../runtime/run-bench.test-support.ts';
import { readLog } from '../runtime/history/read-log.ts';

const bench = runBench();
const spec = { name: 'worker' };
const failure = { facts: { message: 'odd' } };
const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...identity, '-C', folder, ...args], { encoding: 'utf8' }).trim();
}

function commit(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', name);
  return git(folder, 'rev-parse', 'HEAD');
}

const gated = (): Workflow =>
  Workflow.of('gated').step('work', spec, 'Work.', {
    retries: 1,
    gate: (result) => result.text.includes('good'),
    onReject: () => 'Not good.',
  }) as unknown as Workflow;

describe('readLog', () => {
  it('tells runs, wakings, attempts, verdicts and costs', async () => {
    const place = bench.place();
    const first = bench.life(place, ['bad', 'still bad'], { resilience: false });
    await gated().run(first.runtime);
    await first.close();
    const second = bench.life(place, ['good', failure], { resilience: false });
    await gated().run(second.runtime);
    await second.runtime.run(spec, 'Alone.');
    await second.close();
    const log = await readLog(place);
    expect(log).toMatchObject({
      costUsd: 0.04,
      runs: [
        {
          flows: ['gated'],
          woke: 1,
          outcome: 'unfinished',
          costUsd: 0.02,
          attempts: [
            { step: 'work', verdict: 'rejected', resumed: false },
            { step: 'work#round2', verdict: 'rejected', resumed: true },
          ],
        },
        {
          flows: ['gated'],
          woke: 2,
          outcome: 'finished',
          attempts: [
            { step: 'work', verdict: 'ok', resumed: true },
            { step: 'worker', verdict: 'failed', error: 'odd' },
          ],
        },
      ],
    });
  });

  it('tells a killed attempt from one that is at work', async () => {
    const place = bench.place();
    const life = bench.life(place, [{ holds: 'prompt' }]);
    // It never returns: what a kill cuts off is not heard of again.
    void gated()
      .run(life.runtime)
      .catch(() => undefined);
    await life.engine.untilHeld();
    expect((await readLog(place)).runs).toMatchObject([
      { outcome: 'running', endedAt: null, attempts: [{ verdict: 'running', error: null }] },
    ]);
    life.runtime.rescue();
    expect((await readLog(place)).runs[0]?.attempts).toMatchObject([{ verdict: 'cut' }]);
    await life.close();
  });

  it('tells what changed in git around each attempt', async () => {
    const place = bench.place();
    git(place.workspace, 'init', '-q', '-b', 'main');
    const heads = [commit(place.workspace, 'a.txt', 'one\n')];
    const flow = Workflow.of('git')
      .step('quiet', spec, 'Nothing.')
      .step('busy', spec, 'Commit.')
      .step('loose', spec, 'Leave it.');
    const life = bench.life(place, ['nothing', 'committed', 'left']);
    life.runtime.subscribe((event) => {
      if (event.type !== 'attempt-start') return;
      if (event.step === 'busy') heads.push(commit(place.workspace, 'b.txt', 'one\ntwo\n'));
      if (event.step === 'loose') writeFileSync(join(place.workspace, 'a.txt'), 'changed\n');
    });
    await flow.run(life.runtime);
    await life.close();
    const [first = '', second = ''] = heads;
    const log = await readLog(place);
    expect(log.runs[0]?.attempts.map(({ git: changes }) => changes)).toEqual([
      { before: first, after: first, diffstat: null, uncommitted: null },
      {
        before: first,
        after: second,
        diffstat: { files: 1, insertions: 2, deletions: 0 },
        uncommitted: null,
      },
      {
        before: second,
        after: second,
        diffstat: null,
        uncommitted: { files: 1, insertions: 1, deletions: 1, untracked: 0 },
      },
    ]);
  });

  it('makes nothing where nothing is', async () => {
    const place = bench.place();
    expect(await readLog(place)).toMatchObject({ runs: [], costUsd: 0 });
    expect(existsSync(place.runDir)).toBe(false);
  });

  it('reads the manifest of a directory that this flower never opened', async () => {
    const place = bench.place();
    mkdirSync(place.runDir);
    const row = {
      run: '20260907-090000-abc123',
      step: '干活·判定#1',
      session_id: null,
      ok: true,
      cost_usd: 1.5,
      started_at: 1_788_742_800,
      duration_s: 5,
    };
    writeFileSync(join(place.runDir, 'manifest.json'), JSON.stringify([row, 'no row']));
    expect(await readLog(place)).toMatchObject({
      costUsd: 1.5,
      runs: [{ woke: null, outcome: null, attempts: [{ step: '干活·判定#1', git: null }] }],
    });
  });
});
