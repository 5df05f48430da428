import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowerEvent } from '../events/event.ts';
import { ManualClock } from '../resilience/manual-clock.test-support.ts';
import { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { ScriptedEngine, type ScriptedSegment } from './scripted-engine.test-support.ts';

/** Directories of a run, made for one test. */
export interface RunPlace {
  readonly workspace: string;
  readonly runDir: string;
  /** The endpoint of this environment cannot be told, so nothing is ever probed. */
  readonly env: Readonly<Record<string, string>>;
}

/** One life of a process: a runtime with its script and what it told. */
export interface Life {
  readonly runtime: Runtime;
  readonly engine: ScriptedEngine;
  readonly clock: ManualClock;
  readonly events: FlowerEvent[];
  /** Closes runtime and engine; done for every life after the test. */
  close(): Promise<void>;
}

/** Makes the directories below `root`. */
export function makeRunPlace(root: string): RunPlace {
  const real = realpathSync(root);
  const workspace = join(real, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const env = {
    HOME: real,
    CLAUDE_CONFIG_DIR: join(real, 'claude'),
    ANTHROPIC_BASE_URL: 'nowhere://',
  };
  return { workspace, runDir: join(real, 'runs'), env };
}

/** Starts a life in these directories; its clock stands still except for sleeps, which cost nothing. */
export function startLife(
  place: RunPlace,
  script: readonly (ScriptedSegment | string)[],
  options: Partial<RuntimeOptions> = {},
): Life {
  const events: FlowerEvent[] = [];
  const clock = new ManualClock({ autoAdvance: true });
  const engine = new ScriptedEngine({ ...place, script });
  const runtime = new Runtime({
    ...place,
    engine,
    clock,
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    ...options,
  });
  let isClosed = false;
  return {
    runtime,
    engine,
    clock,
    events,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await runtime.close();
      engine.close();
    },
  };
}

/** A JSON file of the run directory. */
export function readRunFile(place: RunPlace, name: 'manifest.json' | 'lineage.json'): unknown {
  return JSON.parse(readFileSync(join(place.runDir, name), 'utf8'));
}

/** The events of one type, in order. */
export function eventsOf<Type extends FlowerEvent['type']>(
  events: readonly FlowerEvent[],
  type: Type,
): Extract<FlowerEvent, { type: Type }>[] {
  return events.filter(
    (event): event is Extract<FlowerEvent, { type: Type }> => event.type === type,
  );
}
