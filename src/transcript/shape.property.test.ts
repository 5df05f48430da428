import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeChain } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { failedResults } from './failed-results.ts';
import { oddRows } from './fixtures/odd-rows.ts';
import { transcripts } from './fixtures/transcripts.ts';
import { blocksOf, isBoundary, isSidechain, stringOf, toolResultId, toolUseId } from './row.ts';
import { shapeTranscript } from './shape.ts';
import { isSynthetic } from './synthetic.ts';
import { isThought } from './tool-blocks.ts';
import { turnState } from './turn-state.ts';

const runs = { numRuns: 100 };

function mainRows(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  return entries.filter((row) => !isSidechain(row));
}

function idsOf(
  entries: readonly TranscriptEntry[],
  read: (block: Readonly<Record<string, unknown>>) => string | undefined,
): ReadonlySet<string> {
  return new Set(
    mainRows(entries).flatMap((row) => blocksOf(row).flatMap((each) => read(each) ?? [])),
  );
}

/** A row without what shaping may change in any row. */
function body({ parentUuid: _link, ...rest }: TranscriptEntry): Record<string, unknown> {
  return rest;
}

describe('shapeTranscript, for any session', () => {
  it('every link leads to an earlier row', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const seen = new Set<unknown>([null]);
        for (const row of mainRows(shapeTranscript(raw).entries)) {
          if (row.uuid === undefined) continue;
          expect(seen).toContain(row.parentUuid);
          seen.add(row.uuid);
        }
      }),
      runs,
    );
  });

  it('the active conversation is one chain to its root or its last compaction', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries, safe } = shapeTranscript(raw);
        const [root] = activeChain(entries).rows;
        expect(safe).toBe(true);
        expect(root === undefined || isBoundary(root) || root.parentUuid === null).toBe(true);
      }),
      runs,
    );
  });

  it('a compaction stays in force', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries } = shapeTranscript(raw);
        const last = entries.findLastIndex(isBoundary);
        if (last === -1) return;
        const present = new Set(entries.map((row) => row.uuid));
        const kept = new Set(
          JSON.stringify(entries[last]?.compactMetadata).match(/[0-9a-f-]{36}/g),
        );
        for (const uuid of kept) expect(present).toContain(uuid);
        expect(activeChain(entries).rows[0]).toBe(entries[last]);
        expect(raw.findLast(isBoundary)?.uuid).toBe(entries[last]?.uuid);
      }),
      runs,
    );
  });

  it('calls and results stay or go together', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries } = shapeTranscript(raw);
        const results = idsOf(entries, toolResultId);
        const calls = idsOf(entries, toolUseId);
        for (const id of results) expect(calls).toContain(id);
        const answeredBefore = idsOf(raw, toolResultId);
        for (const id of calls) expect(results.has(id)).toBe(answeredBefore.has(id));
      }),
      runs,
    );
  });

  it('only refused calls are taken away, the newest refusal stays', () => {
    fc.assert(
      fc.property(transcripts, fc.integer({ min: 0, max: 3 }), (raw, keepDenials) => {
        const { entries } = shapeTranscript(raw, { keepDenials });
        const refused = failedResults(mainRows(raw)).filter((each) => each.outcome === 'denied');
        const ids = [...new Set(refused.map((each) => each.toolUseId))];
        const calls = idsOf(entries, toolUseId);
        const gone = [...idsOf(raw, toolUseId)].filter((id) => !calls.has(id));
        for (const id of gone) expect(ids.slice(0, ids.length - keepDenials)).toContain(id);
        for (const id of ids.slice(ids.length - keepDenials)) {
          if (keepDenials > 0) expect(calls).toContain(id);
        }
      }),
      runs,
    );
  });

  it('thinking passes byte for byte', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const before = new Map(raw.map((row) => [row.uuid, row]));
        for (const row of shapeTranscript(raw).entries) {
          const original = before.get(row.uuid);
          if (original === undefined) continue;
          expect(JSON.stringify(blocksOf(row).filter(isThought))).toBe(
            JSON.stringify(blocksOf(original).filter(isThought)),
          );
        }
      }),
      runs,
    );
  });

  it('nothing synthetic and no interrupt text of the CLI is left', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const rows = mainRows(shapeTranscript(raw).entries);
        expect(rows.filter(isSynthetic)).toEqual([]);
        expect(JSON.stringify(rows)).not.toContain('[Request interrupted');
      }),
      runs,
    );
  });

  it('unknown rows, metadata and sidechains pass through', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries } = shapeTranscript(raw);
        const last = new Map(raw.map((row) => [row.uuid, row]));
        const metadata = (rows: readonly TranscriptEntry[]): readonly TranscriptEntry[] =>
          rows.filter((row) => /^ai-title$|^future-kind$/.test(row.type));
        expect(metadata(entries)).toEqual(metadata(raw));
        expect(entries.filter(isSidechain)).toEqual(
          [...last.values()].filter((row) => isSidechain(row)),
        );
        const unknown = entries.filter((row) => row.type === 'future-node');
        const before = [...last.values()].filter((row) => row.type === 'future-node');
        expect(unknown.map(body)).toEqual(before.map(body));
      }),
      runs,
    );
  });

  it('every row that is gone is named', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries, dropped } = shapeTranscript(raw);
        const left = new Set(entries.map((row) => row.uuid));
        const gone = new Set(
          raw.flatMap((row) => row.uuid ?? []).filter((uuid) => !left.has(uuid)),
        );
        const named = new Set(
          dropped.filter((each) => each.why !== 'duplicate').map((each) => each.uuid),
        );
        named.delete(null);
        expect(named).toEqual(gone);
        expect(entries.length + dropped.length).toBe(raw.length);
      }),
      runs,
    );
  });

  it('the turn is cut at calls exactly when one has no result', () => {
    fc.assert(
      fc.property(transcripts, (raw) => {
        const { entries } = shapeTranscript(raw);
        const state = turnState(entries);
        if (state.kind !== 'cut') return;
        const results = idsOf(entries, toolResultId);
        expect(state.pendingCalls.length > 0).toBe(state.at === 'tool-use');
        for (const pending of state.pendingCalls) expect(results).not.toContain(pending.id);
      }),
      runs,
    );
  });
});

describe.each([
  ['any session', transcripts],
  ['any rows at all', oddRows],
])('shapeTranscript, for %s', (_name, arbitrary) => {
  it('a second shaping changes nothing', () => {
    fc.assert(
      fc.property(
        arbitrary,
        fc.integer({ min: 0, max: 2 }),
        fc.boolean(),
        (raw, keep, sidechain) => {
          const options = { keepDenials: keep, sidechain };
          const shaped = shapeTranscript(raw, options);
          const again = shapeTranscript(shaped.entries, options);
          expect(again).toEqual({ ...shaped, dropped: [], repaired: [] });
        },
      ),
      runs,
    );
  });

  it('the rows that are given stay as they are', () => {
    fc.assert(
      fc.property(arbitrary, (raw) => {
        const before = structuredClone(raw);
        shapeTranscript(raw);
        expect(raw).toEqual(before);
      }),
      runs,
    );
  });

  it('links end, and the state of the turn can be told', () => {
    fc.assert(
      fc.property(arbitrary, (raw) => {
        const { entries } = shapeTranscript(raw);
        const parents = new Map(
          mainRows(entries).map((row) => [row.uuid, stringOf(row.parentUuid)]),
        );
        for (const row of mainRows(entries)) {
          const seen = new Set<string>();
          for (let uuid = row.uuid; uuid !== undefined; uuid = parents.get(uuid)) {
            expect(seen).not.toContain(uuid);
            seen.add(uuid);
          }
        }
        expect(['empty', 'cut', 'complete']).toContain(turnState(entries).kind);
      }),
      runs,
    );
  });
});
