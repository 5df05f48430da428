import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedRequest } from '../../testing/index.ts';
import { costFacts } from './cost-facts.ts';
import type { CutFacts, DemoFacts } from './demo-facts.ts';
import { deliveries, type DemoStep, stepOf } from './demo-model.ts';
import { traces } from './demo-project.ts';
import type { DemoStage } from './demo-stage.ts';
import { lineCount, manifestRows, type SeenStatus, storedEntries } from './evidence.ts';
import { toolCalls } from './tool-calls.ts';

/** The facts that only the end of the second run shows, read from disk and from the API's record. */
export type WakeFacts = Omit<
  DemoFacts,
  'folder' | 'workspace' | 'runDir' | 'manifestPath' | 'durationMs' | 'cut' | 'wake'
>;

/** Reads what the wake left behind; compares it with what stood there at the kill. */
export function readWakeFacts(stage: DemoStage, cut: CutFacts, status: SeenStatus): WakeFacts {
  const { runDir, workspace } = stage.project;
  const session = status.steps.find(({ step }) => step === 'demo/make')?.sessionId ?? '';
  const entries = storedEntries(runDir, workspace, session);
  const unchanged = new Map(entries.map(({ sequence, payload }) => [sequence, payload]));
  const make = requestsOf(stage, 'make');
  return {
    readRequests: { before: cut.readRequests, inAll: requestsOf(stage, 'read').length },
    session: {
      before: cut.sessionId,
      after: session,
      seenByApi: [...new Set(make.map(({ sessionId }) => sessionId ?? ''))],
    },
    entries: {
      before: cut.entries.length,
      kept: cut.entries.filter(({ sequence, payload }) => unchanged.get(sequence) === payload)
        .length,
      after: entries.length,
    },
    cutCallResult: shownToTheModel(make),
    deliveries: lineCount(join(workspace, traces.delivery)),
    gate: gateFacts(stage),
    cost: costFacts(stage),
  };
}

/** Every request of a step, in order. */
function requestsOf(stage: DemoStage, step: DemoStep): ScriptedRequest[] {
  return stage.api.requests.filter((request) => stepOf(request) === step);
}

/** The result of the cut call in the last conversation that the API got. */
function shownToTheModel(requests: readonly ScriptedRequest[]): string | null {
  const [call] = deliveries(toolCalls(requests.at(-1)?.messages ?? []));
  return call?.result ?? null;
}

function gateFacts(stage: DemoStage): DemoFacts['gate'] {
  const { runDir, workspace } = stage.project;
  const rows = manifestRows(runDir).filter(({ step }) => /^verify(#|$)/.test(step));
  const objections = requestsOf(stage, 'verify')
    .flatMap(({ lastUserText }) => lastUserText.split('\n'))
    .filter((line) => line.endsWith('Repair it.'));
  const { stdout } = spawnSync('sh', ['tally.sh'], {
    cwd: workspace,
    encoding: 'utf8',
    timeout: 5_000,
  });
  return {
    rows: rows.map(({ step }) => step),
    objection: objections[0]?.replace(/\. Repair it\.$/, '') ?? null,
    sessions: [...new Set(rows.map((row) => row.session_id ?? ''))],
    printed: stdout.trim(),
    words: readFileSync(join(workspace, 'words.txt'), 'utf8').trim().split(/\s+/).length,
  };
}
