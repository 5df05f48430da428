import { z } from 'zod';
import type { ContinuedSession } from '../events/event.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { isBoundary } from '../transcript/row.ts';
import { lastContextTokens } from '../transcript/usage.ts';

/** What going on in a session will meet. */
export type WakeFacts = Pick<ContinuedSession, 'context' | 'lastAt' | 'cache'>;

/** How many rows from the end are read: a response is found among them. */
export const wakeFactsRows = 60;

const shortLifeMs = 5 * 60_000;
const longLifeMs = 60 * 60_000;
/** A clock that went back further than this says nothing about the age of a response. */
const clockToleranceMs = 60_000;

const count = z.number().nullish().catch(0);
const response = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false).optional(),
  timestamp: z.string(),
  message: z.object({
    model: z.string().refine((model) => model !== '<synthetic>'),
    usage: z.object({
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cache_creation: z.object({ ephemeral_1h_input_tokens: count }).nullish().catch(null),
    }),
  }),
});

/**
 * Tells from the last rows of a session how big it is and whether its prompt cache still lives.
 *
 * The cache lives for five minutes after the last response, for an hour when responses wrote it for
 * an hour; what was compacted since is not in it.
 *
 * @param rows - The last {@link wakeFactsRows} rows or more, oldest first.
 */
export function wakeFacts(rows: readonly TranscriptEntry[], now: Date): WakeFacts {
  const times = rows.map((row) => row['timestamp']).filter((time) => typeof time === 'string');
  return {
    context: lastContextTokens(rows),
    lastAt: times.at(-1) ?? null,
    cache: cacheState(rows, now),
  };
}

function cacheState(rows: readonly TranscriptEntry[], now: Date): WakeFacts['cache'] {
  const place = rows.findLastIndex((row) => response.safeParse(row).success);
  const last = response.safeParse(rows[place]).data;
  if (last === undefined) return 'unknown';
  const ageMs = now.getTime() - Date.parse(last.timestamp);
  if (Number.isNaN(ageMs) || ageMs < -clockToleranceMs) return 'unknown';
  const { usage } = last.message;
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  if (cached === 0 || rows.slice(place).some(isBoundary)) return 'cold';
  return ageMs < (rows.some(wroteForAnHour) ? longLifeMs : shortLifeMs) ? 'warm' : 'cold';
}

function wroteForAnHour(row: TranscriptEntry): boolean {
  const usage = response.safeParse(row).data?.message.usage;
  return (usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0) > 0;
}
