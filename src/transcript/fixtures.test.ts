import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { activeChain } from './active-chain.ts';
import type { TranscriptEntry } from './entry.ts';
import { failedResults } from './failed-results.ts';
import { INTERRUPT_TEXT } from './interrupt-text.ts';
import { parseTranscript } from './parse-lines.ts';
import { blocksOf, isObject, toolResultId, toolUseId } from './row.ts';
import { type ShapedTranscript, shapeTranscript } from './shape.ts';
import { turnState } from './turn-state.ts';
import { sumUsage } from './usage.ts';

interface Case {
  readonly file: string;
  readonly raw: readonly TranscriptEntry[];
  readonly damaged: number;
  readonly shaped: ShapedTranscript;
  readonly sidechain: boolean;
}

type Check = (given: Case, expected: unknown) => void;

/** Expectations about trimming, which is not this step's work; their files are not here either. */
const LATER = new Set(['36-big-tool-result.jsonl', '37-image-result.jsonl']);

const folder = new URL('./fixtures/', import.meta.url);
const described = JSON.parse(readFileSync(new URL('expect.json', folder), 'utf8')) as Record<
  string,
  { readonly note: string; readonly expect: Readonly<Record<string, unknown>> }
>;
const cases = Object.entries(described).filter(([file]) => !LATER.has(file));

function load(file: string): Case {
  const { entries, damaged } = parseTranscript(readFileSync(new URL(file, folder)));
  const sidechain = file.includes('/subagents/');
  return {
    file,
    raw: entries,
    damaged,
    shaped: shapeTranscript(entries, { sidechain }),
    sidechain,
  };
}

function uuidsOf(rows: readonly TranscriptEntry[]): string[] {
  return rows.flatMap((row) => row.uuid ?? []);
}

function rowOf(rows: readonly TranscriptEntry[], uuid: string): TranscriptEntry {
  const row = rows.find((candidate) => candidate.uuid === uuid);
  if (row === undefined) throw new Error(`no row ${uuid}`);
  return row;
}

function chainOf(given: Case): string[] {
  return uuidsOf(activeChain(given.shaped.entries, { sidechain: given.sidechain }).rows);
}

function boundaryOf(given: Case): TranscriptEntry {
  const boundary = given.shaped.entries.find((row) => row.subtype === 'compact_boundary');
  if (boundary === undefined) throw new Error('no boundary');
  return boundary;
}

function pinOf(given: Case): unknown {
  return given.shaped.entries.findLast((row) => row.type === 'last-prompt')?.leafUuid;
}

function texts(expected: unknown): readonly string[] {
  expect(Array.isArray(expected)).toBe(true);
  return (expected as readonly unknown[]).map(String);
}

function pairs(expected: unknown): readonly (readonly [string, string])[] {
  return Object.entries(expected as Record<string, string>);
}

function isIn(expectedOrder: readonly string[], actual: readonly string[]): void {
  expect(actual.filter((uuid) => expectedOrder.includes(uuid))).toEqual(expectedOrder);
}

const noCheck: Check = () => undefined;

const checks: Readonly<Record<string, Check>> = {
  note: noCheck,
  no_crash: ({ shaped }) => expect(shaped.entries.length).toBeGreaterThan(0),
  terminates: (given) => expect(chainOf(given)).toEqual(uuidsOf(given.shaped.entries)),
  kept: ({ shaped }, expected) => isIn(texts(expected), uuidsOf(shaped.entries)),
  kept_raw: ({ raw, shaped }, expected) => {
    isIn(texts(expected), uuidsOf(shaped.entries));
    expect(shaped.entries).toEqual(raw);
  },
  kept_after_boundary: (given, expected) => expect(chainOf(given)).toEqual(texts(expected)),
  active: (given, expected) => expect(chainOf(given)).toEqual(texts(expected)),
  sidechain: (given, expected) => {
    for (const uuid of texts(expected)) {
      expect(rowOf(given.shaped.entries, uuid)).toEqual(rowOf(given.raw, uuid));
      expect(chainOf(given)).not.toContain(uuid);
    }
  },
  parents: ({ shaped }, expected) => {
    for (const [uuid, parent] of pairs(expected)) {
      expect(rowOf(shaped.entries, uuid).parentUuid).toBe(parent);
    }
  },
  chain_passes_through: (given, expected) => expect(chainOf(given)).toContain(expected),
  winner: ({ shaped }, expected) => {
    for (const [uuid, text] of pairs(expected)) {
      expect(uuidsOf(shaped.entries).filter((each) => each === uuid)).toHaveLength(1);
      expect(JSON.stringify(rowOf(shaped.entries, uuid))).toContain(text);
    }
  },
  active_leaf: ({ shaped }, expected) => {
    const chain = activeChain(shaped.entries);
    expect(chain.leaf?.uuid ?? null).toBe(expected);
    expect(chain.isCleared).toBe(expected === null);
  },
  leaf: ({ shaped }, expected) => expect(activeChain(shaped.entries).leaf?.uuid).toBe(expected),
  last_prompt_leaf: (given, expected) => expect(pinOf(given)).toBe(expected),
  dropped_lines: ({ damaged }, expected) => expect(damaged).toBe(expected),
  dropped: ({ shaped }, expected) => {
    const reported = shaped.dropped.map((drop) => drop.uuid);
    for (const uuid of texts(expected)) {
      expect(uuidsOf(shaped.entries)).not.toContain(uuid);
      expect(reported).toContain(uuid);
      expect(JSON.stringify(shaped.entries)).not.toContain(uuid);
    }
  },
  well_formed: ({ raw, shaped }) => {
    const lone = /\\ud[89a-f]/;
    expect(JSON.stringify(raw)).toMatch(lone);
    expect(JSON.stringify(shaped.entries)).not.toMatch(lone);
  },
  byte_identical: ({ raw, shaped }, expected) => {
    for (const uuid of texts(expected)) {
      expect(JSON.stringify(rowOf(shaped.entries, uuid))).toBe(JSON.stringify(rowOf(raw, uuid)));
    }
  },
  no_orphan_results: ({ shaped }) => {
    const blocks = shaped.entries.flatMap(blocksOf);
    const calls = blocks.map(toolUseId);
    for (const id of blocks.flatMap((block) => toolResultId(block) ?? [])) {
      expect(calls).toContain(id);
    }
    expect(shaped.dropped.map((drop) => drop.why)).toContain('orphan-result');
  },
  interrupted: ({ shaped }, expected) => {
    const state = turnState(shaped.entries);
    expect(state.kind === 'cut' && state.pendingCalls.map((call) => call.id)).toEqual(expected);
  },
  neutralised: ({ raw, shaped }, expected) => {
    for (const uuid of texts(expected)) {
      const [before] = blocksOf(rowOf(raw, uuid));
      const [after] = blocksOf(rowOf(shaped.entries, uuid));
      expect(after).toEqual({ ...before, content: INTERRUPT_TEXT, is_error: false });
    }
    expect(JSON.stringify(shaped.entries)).not.toMatch(/\[Request interrupted|\[Tool call/);
  },
  unchanged: ({ raw, shaped }, expected) => {
    if (expected === true) return expect(shaped.entries).toEqual(raw);
    for (const uuid of texts(expected)) {
      expect(rowOf(shaped.entries, uuid)).toEqual(rowOf(raw, uuid));
    }
  },
  deep_equal_roundtrip: ({ raw, shaped }) =>
    expect(shaped.entries).toEqual(raw.filter((row) => row.type !== 'cost-state')),
  kept_denials: ({ shaped }, expected) => {
    const denied = failedResults(shaped.entries).filter((result) => result.outcome === 'denied');
    expect(denied.map((result) => result.toolUseId)).toEqual(expected);
  },
  denial: ({ raw }, expected) => {
    const denied = failedResults(raw).filter((result) => result.outcome === 'denied');
    expect(denied.map((result) => result.toolUseId)).toEqual(expected);
  },
  compactMetadata_uuids: (given, expected) => {
    expect(boundaryOf(given).compactMetadata).toMatchObject({
      preservedMessages: { uuids: expected, allUuids: expected },
    });
  },
  tailUuid: (given, expected) =>
    expect(boundaryOf(given).compactMetadata).toMatchObject({
      preservedSegment: { tailUuid: expected },
    }),
  logicalParentUuid: (given, expected) =>
    expect(boundaryOf(given).logicalParentUuid).toBe(expected),
  must_not_reappear: (given, expected) => {
    const rows = activeChain(given.shaped.entries).rows;
    for (const text of texts(expected)) expect(JSON.stringify(rows)).not.toContain(text);
  },
  last_wins: ({ shaped }, expected) => {
    for (const [field, value] of pairs(expected)) {
      const last = shaped.entries.findLast((row) => field in row);
      expect(last?.[field]).toBe(value);
    }
  },
  api_messages: ({ raw }, expected) => expect(sumUsage(raw).total.messages).toBe(expected),
  usage_counted_once_per_message_id: ({ raw }) => {
    expect(sumUsage(raw).total).toMatchObject({ inputTokens: 904 + 906, outputTokens: 40 });
  },
  incomplete: ({ shaped }, expected) => expect(!shaped.safe).toBe(expected),
  missing_parent: ({ shaped }, expected) =>
    expect(activeChain(shaped.entries).rows[0]?.parentUuid).toBe(expected),
  subpath: ({ raw }, expected) => {
    const results = raw.map((row) => row.toolUseResult).filter(isObject);
    expect(results.map((result) => `subagents/agent-${String(result.agentId)}`)).toContain(
      expected,
    );
  },
};

describe('fixtures', () => {
  it.each(cases)('%s holds what is known of it', (file, { expect: expected }) => {
    const given = load(file);
    for (const [key, value] of Object.entries(expected)) {
      const check = checks[key];
      if (check === undefined) throw new Error(`no check for ${key}`);
      check(given, value);
    }
  });

  it.each(cases)('%s is shaped once and for all', (file) => {
    const { shaped, sidechain } = load(file);
    const again = shapeTranscript(shaped.entries, { sidechain });
    expect(again.entries).toEqual(shaped.entries);
    expect(again.dropped).toEqual([]);
    expect(again.repaired).toEqual([]);
    expect(again.safe).toBe(shaped.safe);
  });

  it.each(cases)('%s can be resumed, unless its beginning is missing', (file) => {
    expect(load(file).shaped.safe).toBe(file !== '45-second-half-only.jsonl');
  });

  it('no case is left out but the two about trimming', () => {
    expect(cases).toHaveLength(Object.keys(described).length - LATER.size);
  });
});
