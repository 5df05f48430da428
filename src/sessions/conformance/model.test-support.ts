import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import type { SessionKey, SessionStore } from '../session-store.ts';
import type { MakeStore } from './bench.test-support.ts';

const keys: readonly SessionKey[] = [
  { projectKey: 'p', sessionId: 's1' },
  { projectKey: 'p', sessionId: 's1', subpath: 'subagents/agent-1' },
  { projectKey: 'p', sessionId: 's2' },
  { projectKey: 'q', sessionId: 's1' },
];

interface Batch {
  readonly type: 'append';
  readonly stream: number;
  readonly entries: TranscriptEntry[];
}

type Action =
  | Batch
  | { readonly type: 'replay'; readonly index: number }
  | { readonly type: 'reopen' };

const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
  .map((units) => String.fromCharCode(...units));

// Through JSON once, since that is what a transcript row has been through.
const anyValue = fc
  .oneof(anyText, fc.jsonValue())
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const entryArbitrary: fc.Arbitrary<TranscriptEntry> = fc
  .record(
    {
      type: fc.constantFrom('user', 'assistant', 'system', 'mode'),
      uuid: fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5', 'u6'),
      value: anyValue,
    },
    { requiredKeys: ['type'] },
  )
  .map((entry) => entry as TranscriptEntry);

const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      stream: fc.nat({ max: keys.length - 1 }),
      entries: fc.array(entryArbitrary, { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('replay' as const), index: fc.nat({ max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
);

/** The contract in its simplest form: a list of rows a stream. */
class ModelStore {
  readonly streams = new Map<number, TranscriptEntry[]>();

  append(stream: number, entries: readonly TranscriptEntry[]): void {
    for (const entry of entries) {
      const rows = this.streams.get(stream) ?? [];
      const isKnown = rows.some((row) => row.uuid !== undefined && row.uuid === entry.uuid);
      if (!isKnown) this.streams.set(stream, [...rows, entry]);
    }
  }
}

/** Compares a store with a model of it over any sequence of appends, replays and reopenings. */
export function describeModel(makeStore: MakeStore): void {
  it('holds what a model holds after any appends, replays and reopenings', async () => {
    const actionsArbitrary = fc.array(actionArbitrary, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(actionsArbitrary, async (actions) => {
        let subject = await makeStore();
        try {
          const model = new ModelStore();
          for (const step of withReplays(actions)) {
            if (step === 'reopen') {
              subject = await subject.reopen();
              continue;
            }
            await subject.store.append(keyOf(step.stream), step.entries);
            model.append(step.stream, step.entries);
          }
          expect(await contentOf(subject.store)).toEqual(expectedContent(model));
        } finally {
          await subject.dispose();
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);
}

/** A replay becomes one of the batches before it, again. */
function withReplays(actions: readonly Action[]): (Batch | 'reopen')[] {
  const batches: Batch[] = [];
  return actions.flatMap((action): (Batch | 'reopen')[] => {
    if (action.type === 'reopen') return ['reopen'];
    if (action.type === 'append') batches.push(action);
    const batch = action.type === 'append' ? action : batches[action.index % batches.length];
    return batch === undefined ? [] : [batch];
  });
}

function keyOf(stream: number): SessionKey {
  const key = keys[stream];
  if (key === undefined) throw new Error(`no stream ${stream}`);
  return key;
}

async function contentOf(store: SessionStore): Promise<unknown> {
  const streams: unknown[] = [];
  for (const key of keys) {
    streams.push({
      rows: await store.load(key),
      next: await store.nextSequence(key),
      fromTwo: await store.loadFrom(key, 2),
    });
  }
  const sessions = await store.listSessions('p');
  return {
    streams,
    sessions: sessions.map((session) => session.sessionId).sort(),
    subpaths: await store.listSubkeys(keyOf(0)),
    hasTurns: await store.hasSession('p', 's1'),
  };
}

function expectedContent({ streams }: ModelStore): unknown {
  const ifWritten = (stream: number, name: string): string[] => (streams.has(stream) ? [name] : []);
  return {
    streams: keys.map((_key, index) => {
      const rows = streams.get(index) ?? [];
      const places = rows.map((entry, sequence) => ({ sequence, entry }));
      return { rows: streams.get(index) ?? null, next: rows.length, fromTwo: places.slice(2) };
    }),
    sessions: [...ifWritten(0, 's1'), ...ifWritten(2, 's2')],
    subpaths: ifWritten(1, 'subagents/agent-1'),
    hasTurns: (streams.get(0) ?? []).some(({ type }) => type === 'user' || type === 'assistant'),
  };
}
