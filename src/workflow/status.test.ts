import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentSpec } from '../claude/agent-spec.ts';
import { runBench } from '../runtime/run-bench.test-support.ts';
import type { ScriptedSegment } from '../runtime/scripted-engine.test-support.ts';
import type { RunPlace } from '../runtime/scripted-life.test-support.ts';
import { readStatus } from '../runtime/status.ts';
import { Step } from './step.ts';
import { Workflow } from './workflow.ts';

const bench = runBench();
const agent: AgentSpec = { name: 'agent' };
const fatal = { facts: { error: 'billing_error', message: 'no credit' } };

function flow(name?: string): Workflow {
  const steps = [new Step('one', agent, 'Do one.'), new Step('two', agent, 'Do two.')];
  return new Workflow(steps, name === undefined ? {} : { name });
}

async function live(
  place: RunPlace,
  workflow: Workflow,
  ...script: (ScriptedSegment | string)[]
): Promise<void> {
  const life = bench.life(place, script);
  await workflow.run(life.runtime);
  await life.close();
}

/** Names and contents of a directory, to see that looking changes nothing. */
function listing(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'base64')]));
}

async function look(place: RunPlace): ReturnType<typeof readStatus> {
  const root = join(place.workspace, '..');
  const before = listing(root);
  const status = await readStatus(place);
  expect(Object.keys(listing(root))).toEqual(Object.keys(before));
  expect(listing(root)).toEqual(before);
  return status;
}

describe('readStatus', () => {
  it('nothing there: nothing to continue, and nothing is made', async () => {
    const place = bench.place();
    expect(await look(place)).toEqual({
      workspace: place.workspace,
      runDir: place.runDir,
      exists: false,
      woke: 0,
      lastRun: null,
      steps: [],
      costUsd: 0,
      unpricedTokens: 0,
      manifestPath: join(place.runDir, 'manifest.json'),
      nearby: [],
    });
    expect(existsSync(place.runDir)).toBe(false);
  });

  it('a finished run: every step will speak again', async () => {
    const place = bench.place();
    await live(place, flow(), 'a', { says: ['b'], costUsd: 0.5 });
    const status = await look(place);
    expect(status).toMatchObject({
      exists: true,
      woke: 1,
      lastRun: { flow: '', outcome: 'finished', endedAt: expect.any(String) },
      steps: [
        { step: 'one', state: 'spoken', context: 1150, alive: true, lastAt: expect.any(String) },
        { step: 'two', state: 'spoken', context: 1150, alive: true },
      ],
      unpricedTokens: 0,
    });
    expect(status.costUsd).toBeCloseTo(0.51);
  });

  it('an unfinished run: what had passed stays, the rest goes on', async () => {
    const place = bench.place();
    await live(place, flow('named'), 'a', fatal);
    expect(await look(place)).toMatchObject({
      lastRun: { flow: 'named', outcome: 'unfinished' },
      steps: [
        { step: 'named/one', state: 'passed' },
        { step: 'named/two', state: 'unfinished', alive: true },
      ],
    });
  });

  it('each flow has its own run', async () => {
    const place = bench.place();
    await live(place, flow('x'), 'a', fatal);
    await live(place, flow('y/z'), 'b', 'c');
    expect(await look(place)).toMatchObject({
      lastRun: { flow: 'y/z', outcome: 'finished' },
      steps: [
        { step: 'x/one', state: 'passed' },
        { step: 'x/two', state: 'unfinished' },
        { step: 'y/z/one', state: 'spoken' },
        { step: 'y/z/two', state: 'spoken' },
      ],
    });
  });

  it('a step whose session never got a record is not alive', async () => {
    const place = bench.place();
    await live(place, flow(), { ...fatal, rows: false });
    expect((await look(place)).steps).toMatchObject([
      { step: 'one', state: 'unfinished', alive: false, context: 0, lastAt: null },
    ]);
  });

  it('a run that goes on in a living process is running', async () => {
    const place = bench.place();
    const life = bench.life(place, [{ holds: 'prompt' }]);
    const stop = new AbortController();
    const running = flow().run(life.runtime, { signal: stop.signal });
    await life.engine.untilHeld();
    expect((await readStatus(place)).lastRun).toMatchObject({ outcome: 'running', endedAt: null });
    stop.abort();
    await running;
  });

  it('another workspace has nothing to continue here', async () => {
    const place = bench.place();
    await live(place, flow(), 'a', 'b');
    const other = join(place.workspace, 'inside');
    mkdirSync(other);
    expect(await look({ ...place, workspace: other })).toMatchObject({ exists: false, steps: [] });
  });

  it('a file that is no database is left as it is', async () => {
    const place = bench.place();
    mkdirSync(place.runDir);
    writeFileSync(join(place.runDir, 'sessions.db'), 'not a database at all');
    expect(await look(place)).toMatchObject({ exists: false });
  });

  it('a missing workspace is an error', async () => {
    const place = bench.place();
    const missing = { ...place, workspace: join(place.workspace, 'missing') };
    await expect(async () => await readStatus(missing)).rejects.toMatchObject({
      code: 'workspace-missing',
    });
  });
});
