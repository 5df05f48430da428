import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { wakeFacts } from './wake-facts.ts';

const now = new Date('2026-11-30T12:00:00.000Z');
const minutesAgo = (minutes: number): string =>
  new Date(now.getTime() - minutes * 60_000).toISOString();

function response(minutes: number, usage: object, part: object = {}): TranscriptEntry {
  return {
    type: 'assistant',
    timestamp: minutesAgo(minutes),
    message: { id: `m${minutes}`, model: 'claude-x', usage: { input_tokens: 10, ...usage } },
    ...part,
  };
}

const cached = { cache_read_input_tokens: 30_000, cache_creation_input_tokens: 200 };
const written = { ...cached, cache_creation: { ephemeral_1h_input_tokens: 200 } };
const prompt: TranscriptEntry = { type: 'user', timestamp: minutesAgo(1), message: {} };
const boundary: TranscriptEntry = {
  type: 'system',
  subtype: 'compact_boundary',
  timestamp: minutesAgo(1),
  compactMetadata: { postTokens: 4_000 },
};

describe('wakeFacts', () => {
  it.each<[string, readonly TranscriptEntry[], string]>([
    ['a response of two minutes ago', [response(2, cached)], 'warm'],
    ['a response of six minutes ago', [response(6, cached)], 'cold'],
    ['a prompt after an old response', [response(6, cached), prompt], 'cold'],
    ['an hourly cache after half an hour', [response(30, written)], 'warm'],
    [
      'an hourly cache that was only read since',
      [response(40, written), response(30, cached)],
      'warm',
    ],
    ['an hourly cache after an hour', [response(61, written)], 'cold'],
    ['a response that cached nothing', [response(1, {})], 'cold'],
    ['a compaction after it', [response(2, cached), boundary], 'cold'],
    ['a clock that was put back', [response(-10, cached)], 'unknown'],
    ['a clock that is a little late', [response(-0.5, cached)], 'warm'],
    ['no response at all', [prompt], 'unknown'],
    ['no row at all', [], 'unknown'],
    ['a response of a subagent alone', [response(1, cached, { isSidechain: true })], 'unknown'],
    [
      'the message of an API error alone',
      [response(1, cached, { message: { model: '<synthetic>', usage: cached } })],
      'unknown',
    ],
  ])('%s', (_what, rows, cache) => {
    expect(wakeFacts(rows, now).cache).toBe(cache);
  });

  it('tells the context of the last response and the time of the last record', () => {
    expect(wakeFacts([response(6, cached), prompt], now)).toEqual({
      context: 30_210,
      lastAt: minutesAgo(1),
      cache: 'cold',
    });
  });

  it('tells the size that a compaction left', () => {
    expect(wakeFacts([response(2, cached), boundary], now).context).toBe(4_000);
  });

  it('knows nothing of an empty session', () => {
    expect(wakeFacts([], now)).toEqual({ context: 0, lastAt: null, cache: 'unknown' });
  });
});
