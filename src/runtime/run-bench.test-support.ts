import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { RuntimeOptions } from './runtime-options.ts';
import type { ScriptedSegment } from './scripted-engine.test-support.ts';
import { type Life, makeRunPlace, type RunPlace, startLife } from './scripted-life.test-support.ts';

/** Benches of one test file: each test gets its own directories, closed and removed afterwards. */
export interface RunBench {
  place(): RunPlace;
  life(
    place: RunPlace,
    script: readonly (ScriptedSegment | string)[],
    options?: Partial<RuntimeOptions>,
  ): Life;
}

/** Call once at the top of a test file. */
export function runBench(): RunBench {
  const roots: string[] = [];
  const lives: Life[] = [];
  afterEach(async () => {
    for (const life of lives.splice(0)) await life.close();
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
  });
  return {
    place: () => {
      const root = mkdtempSync(join(tmpdir(), 'flower-run-'));
      roots.push(root);
      return makeRunPlace(root);
    },
    life: (place, script, options) => {
      const life = startLife(place, script, options);
      lives.push(life);
      return life;
    },
  };
}
