import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Runtime, Step, Workflow } from '../src/index.ts';
import { withFolder } from './folder.ts';
import type { Row } from './report.ts';
import { mean, median, spread } from './statistics.ts';
import { StubEngine } from './stub-engine.ts';

const windowSteps = 100;

interface StepTime {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** A durable one-row transaction in another database, right after the step. */
  readonly commitMs: number;
}

/**
 * How the time of a step grows with the number of steps before it, without any agent.
 *
 * A durable commit beside each step is the measure: a disk that other work slows down slows both.
 * Processor time hardly depends on the neighbours.
 */
export async function measureFlatness(totalSteps: number): Promise<Row[]> {
  const times = await withFolder((folder) => runSteps(folder, totalSteps));
  const marks = [windowSteps, 1_000, 5_000, 10_000].filter((mark) => mark <= totalSteps);
  const first = windowAt(times, windowSteps);
  return marks.flatMap((mark) => rowsOf(mark, windowAt(times, mark), first));
}

async function runSteps(folder: string, count: number): Promise<StepTime[]> {
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const reference = openReference(folder);
  const runtime = new Runtime({
    workspace,
    runDir: join(folder, 'runs'),
    env: { HOME: folder },
    engine: new StubEngine(),
  });
  const times: StepTime[] = [];
  let startMs = 0;
  let startCpu = process.cpuUsage();
  const begin = (): boolean => {
    startMs = performance.now();
    startCpu = process.cpuUsage();
    return true;
  };
  const end = (): void => {
    const wallMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(startCpu);
    times.push({ wallMs, cpuMs: (user + system) / 1_000, commitMs: reference.commit() });
  };
  const agent = { name: 'agent' };
  const steps = Array.from(
    { length: count },
    (_, index) => new Step(`step-${index + 1}`, agent, `Part ${index + 1}.`, { when: begin }),
  );
  try {
    await new Workflow(steps, { name: 'bench' }).run(runtime, { onStep: end });
  } finally {
    await runtime.close();
    reference.close();
  }
  return times;
}

function openReference(folder: string): { commit(): number; close(): void } {
  const database = new Database(join(folder, 'reference.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = database.prepare<[string]>('INSERT INTO rows (text) VALUES (?)');
  const text = 'x'.repeat(1_000);
  return {
    commit: () => {
      const startMs = performance.now();
      insert.run(text);
      return performance.now() - startMs;
    },
    close: () => {
      database.close();
    },
  };
}

function windowAt(times: readonly StepTime[], end: number): readonly StepTime[] {
  return times.slice(end - windowSteps, end);
}

function rowsOf(mark: number, times: readonly StepTime[], first: readonly StepTime[]): Row[] {
  const group = 'flatness: a step with a stub engine, the 100 steps up to';
  const name = `step ${mark.toLocaleString('en')}`;
  const samples = times.length;
  return [
    {
      group,
      name: `${name}: wall`,
      value: median(times.map(({ wallMs }) => wallMs)),
      unit: 'ms',
      reference: { name: 'commit', value: median(times.map(({ commitMs }) => commitMs)) },
      spread: spread(times.map(({ wallMs }) => wallMs)),
      samples,
    },
    {
      group,
      name: `${name}: processor, mean`,
      value: mean(times.map(({ cpuMs }) => cpuMs)),
      unit: 'ms',
      reference: { name: 'steps 1-100', value: mean(first.map(({ cpuMs }) => cpuMs)) },
      samples,
    },
  ];
}
