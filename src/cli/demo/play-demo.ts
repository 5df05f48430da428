import { join } from 'node:path';
import { cutFirstRun, readStatus, runArguments } from './cut-first-run.ts';
import type { CutFacts, DemoFacts, DemoFault } from './demo-facts.ts';
import type { DemoStage } from './demo-stage.ts';
import { readWakeFacts } from './wake-facts.ts';
import { within } from './wait-until.ts';

const wakeTimeoutMs = 90_000;

/** Told while the demo goes on; nothing is told after a fault. */
export interface DemoListener {
  onStart(): void;
  onCut(cut: CutFacts): void;
  onWake(): void;
}

/** Plays the demo to its end: run, kill, look, wake, look again. */
export async function playDemo(
  stage: DemoStage,
  listener: DemoListener,
): Promise<DemoFacts | DemoFault> {
  const startMs = performance.now();
  listener.onStart();
  const cut = await cutFirstRun(stage);
  if (typeof cut === 'string') return cut;
  listener.onCut(cut);
  listener.onWake();
  const wakeStartMs = performance.now();
  const { signal, project } = stage;
  const command = stage.start('second-run', runArguments);
  const exitCode = await within(command.ended, { timeoutMs: wakeTimeoutMs, signal });
  if (exitCode === undefined) return signal.aborted ? 'stopped' : 'wake-not-ended';
  const wakeMs = performance.now() - wakeStartMs;
  const status = await readStatus(stage, 'status-after-wake');
  if (typeof status === 'string') return status;
  const { entries: _entries, readRequests: _requests, ...cutFacts } = cut;
  return {
    folder: project.folder,
    workspace: project.workspace,
    runDir: project.runDir,
    manifestPath: join(project.runDir, 'manifest.json'),
    cut: cutFacts,
    wake: {
      exitCode,
      durationMs: wakeMs,
      outcome: status.lastRun?.outcome ?? null,
      woke: status.woke,
    },
    ...readWakeFacts(stage, cut, status),
    durationMs: performance.now() - startMs,
  };
}
