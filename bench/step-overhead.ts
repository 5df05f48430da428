import { Runtime, Workflow, type WorkflowRunOptions } from '../src/index.ts';
import { Step } from '../src/workflow/step.ts';
import {
  createTestHome,
  type Script,
  startScriptedApi,
  type ToolCall,
  toolReply,
} from '../src/testing/index.ts';
import { runBareSession } from './bare-session.ts';
import type { Row } from './report.ts';
import { differences, median, spread } from './statistics.ts';

/** A session as a step has it. */
interface SessionKind {
  readonly name: string;
  readonly tools: readonly string[];
  /** The one call that the scripted model makes; none: it answers at once. */
  readonly call?: ToolCall;
  /** A tool that changes things is held back until its call is on disk, by design. */
  readonly waits?: boolean;
}

const group = 'step: flower against the bare SDK, pair by pair';
const shortSessionMs = 400;
const longSessionMs = 60_000;
const goalShare = 0.03;

/** What flower adds to a step, for three kinds of sessions. */
export async function measureStepOverhead(pairs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) rows.push(...rowsOf(kind, await measurePairs(kind, pairs)));
  return rows;
}

const kinds: readonly SessionKind[] = [
  { name: 'new session', tools: ['Read'] },
  {
    name: 'one Read',
    tools: ['Read'],
    call: { name: 'Read', input: { file_path: '{workspace}/notes.txt' } },
  },
  {
    name: 'one Write',
    waits: true,
    tools: ['Write'],
    call: { name: 'Write', input: { file_path: '{workspace}/out.txt', content: 'written\n' } },
  },
];

interface Pairs {
  readonly flower: readonly SessionTime[];
  readonly bare: readonly SessionTime[];
}

interface SessionTime {
  readonly wallMs: number;
  /** Processor time of this process alone, without Claude Code. */
  readonly cpuMs: number;
}

function startWatch(): () => SessionTime {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startCpu);
    return { wallMs: performance.now() - startMs, cpuMs: (user + system) / 1_000 };
  };
}

/** The bare session runs inside `when` of the step: neighbours in time, and never at once. */
async function measurePairs(kind: SessionKind, pairs: number): Promise<Pairs> {
  const api = await startScriptedApi({ script: scriptOf(kind) });
  const home = await createTestHome({ api, files: { 'notes.txt': 'alpha\n' } });
  const flower: SessionTime[] = [];
  const bare: SessionTime[] = [];
  let stepEnd: (() => SessionTime) | undefined;
  const between = async (isLast: boolean): Promise<boolean> => {
    if (stepEnd !== undefined) flower.push(stepEnd());
    if (isLast) return false;
    const prompt = `Do it in ${home.workspace}.`;
    const bareEnd = startWatch();
    await runBareSession({ prompt, workspace: home.workspace, env: home.env, tools: kind.tools });
    bare.push(bareEnd());
    stepEnd = startWatch();
    return true;
  };
  const agent = { name: 'agent', allowedTools: kind.tools };
  // The first pair pays for loading the SDK and is not counted.
  const steps = Array.from({ length: pairs + 2 }, (_, index) => {
    const when = (): Promise<boolean> => between(index > pairs);
    return new Step(`step-${index}`, agent, `Do it in ${home.workspace}.`, { when });
  });
  const runtime = new Runtime({
    workspace: home.workspace,
    runDir: `${home.path}/runs`,
    env: home.env,
  });
  try {
    const failures: string[] = [];
    const onStep: WorkflowRunOptions['onStep'] = (_step, result) => {
      if (!result.ok) failures.push(result.error ?? '');
    };
    await new Workflow(steps, { name: 'bench' }).run(runtime, { onStep });
    if (failures.length > 0) throw new Error(`Steps failed: ${failures.join('; ')}`);
  } finally {
    await runtime.close();
    await api.close();
    await home.dispose();
  }
  return { flower: flower.slice(1), bare: bare.slice(1) };
}

function scriptOf({ call }: SessionKind): Script {
  return (request) => {
    if (call === undefined || request.toolResults.length > 0) return 'Done.';
    const workspace = /Do it in (\S+)\./.exec(request.lastUserText)?.[1] ?? '';
    const input = JSON.parse(JSON.stringify(call.input).replaceAll('{workspace}', workspace));
    return toolReply({ ...call, input });
  };
}

function rowsOf(kind: SessionKind, { flower, bare }: Pairs): Row[] {
  const flowerMs = flower.map(({ wallMs }) => wallMs);
  const bareMs = bare.map(({ wallMs }) => wallMs);
  const added = differences(flowerMs, bareMs);
  const addedMs = median(added);
  const samples = added.length;
  const share = (sessionMs: number): Row => ({
    group,
    name: `${kind.name}: share of a ${sessionMs / 1_000} s session`,
    value: (addedMs / sessionMs) * 100,
    unit: '%',
    samples,
  });
  return [
    {
      group,
      name: `${kind.name}: step`,
      value: median(flowerMs),
      unit: 'ms',
      reference: { name: 'bare', value: median(bareMs) },
      spread: spread(flowerMs),
      samples,
    },
    {
      group,
      name: `${kind.name}: added by flower`,
      value: addedMs,
      unit: 'ms',
      ...(kind.waits === true ? {} : { goal: shortSessionMs * goalShare }),
      spread: spread(added),
      samples,
    },
    share(shortSessionMs),
    share(longSessionMs),
    {
      group,
      name: `${kind.name}: processor time in this process`,
      value: median(flower.map(({ cpuMs }) => cpuMs)),
      unit: 'ms',
      reference: { name: 'bare', value: median(bare.map(({ cpuMs }) => cpuMs)) },
      samples,
    },
  ];
}
