import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../transcript/entry.ts';
import type { SessionKey } from './session-store.ts';
import type { MakeStore, StoreUnderTest } from './store-conformance.ts';

const keys: readonly SessionKey[] = [
  { projectKey: 'p', sessionId: 's1' },
  { projectKey: 'p', sessionId: 's1', subpath: 'subagents/agent-1' },
  { projectKey: 'p', sessionId: 's2' },
  { projectKey: 'q', sessionId: 's1' },
];

type Action =
  | { readonly type: 'append'; readonly stream: number; readonly entries: TranscriptEntry[] }
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
export function describeStoreModel(name: string, makeStore: MakeStore): void {
  describe(`${name} against a model`, () => {
    it('holds the same rows after any appends, replays and reopenings', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(actionArbitrary, { maxLength: 12 }), async (actions) => {
          let subject = await makeStore();
          try {
            const model = new ModelStore();
            const batches: Extract<Action, { type: 'append' }>[] = [];
            for (const action of actions) {
              if (action.type === 'reopen') subject = await subject.reopen();
              if (action.type === 'append') batches.push(action);
              const batch =
                action.type === 'replay' ? batches[action.index % batches.length] : action;
              if (batch?.type === 'append') await applyBatch(subject, model, batch);
            }
            await compare(subject, model);
          } finally {
            await subject.dispose();
          }
        }),
        { numRuns: 40 },
      );
    }, 60_000);
  });
}

async function applyBatch(
  subject: StoreUnderTest,
  model: ModelStore,
  batch: Extract<Action, { type: 'append' }>,
): Promise<void> {
  const key = keys[batch.stream];
  if (key === undefined) return;
  await subject.store.append(key, batch.entries);
  model.append(batch.stream, batch.entries);
}

async function compare({ store }: StoreUnderTest, model: ModelStore): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const rows = model.streams.get(index);
    expect(await store.load(key)).toEqual(rows ?? null);
    expect(await store.nextSequence(key)).toBe(rows?.length ?? 0);
    const sequenced = (rows ?? []).map((entry, sequence) => ({ sequence, entry }));
    expect(await store.loadFrom(key, 2)).toEqual(sequenced.slice(2));
  }
  const hasTurn = (model.streams.get(0) ?? []).some(({ type }) =>
    ['user', 'assistant'].includes(type),
  );
  expect(await store.hasSession('p', 's1')).toBe(hasTurn);
  const subpaths = model.streams.has(1) ? ['subagents/agent-1'] : [];
  expect(await store.listSubkeys({ projectKey: 'p', sessionId: 's1' })).toEqual(subpaths);
  const listed = (await store.listSessions('p')).map((session) => session.sessionId).sort();
  const written = [
    ...(model.streams.has(0) ? ['s1'] : []),
    ...(model.streams.has(2) ? ['s2'] : []),
  ];
  expect(listed).toEqual(written);
}
