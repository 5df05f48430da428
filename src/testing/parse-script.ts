import { z } from 'zod';

import { FlowerError } from '../errors/flower-error.ts';
import type { Reply } from './reply.ts';
import { sideKinds, type SideKind } from './request-kind.ts';
import type { ScriptByRole } from './script.ts';

/** Milliseconds; `setTimeout` fires at once above this. */
const delay = z.number().min(0).max(2_147_483_647);
const count = z.int().min(0);

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().exactOptional(),
  }),
  z.strictObject({
    type: z.literal('tool_use'),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
    id: z.string().min(1).exactOptional(),
  }),
]);

const timing = {
  delayMs: delay.exactOptional(),
  hold: z
    .strictObject({ name: z.string().min(1), afterEvents: count.exactOptional() })
    .exactOptional(),
};

const message = z.strictObject({
  type: z.literal('message'),
  content: z.array(block),
  stopReason: z
    .enum([
      'end_turn',
      'max_tokens',
      'model_context_window_exceeded',
      'pause_turn',
      'refusal',
      'stop_sequence',
      'tool_use',
    ])
    .exactOptional(),
  usage: z
    .strictObject({
      inputTokens: count.exactOptional(),
      outputTokens: count.exactOptional(),
      cacheReadTokens: count.exactOptional(),
      cacheWriteTokens: count.exactOptional(),
    })
    .exactOptional(),
  model: z.string().exactOptional(),
  id: z.string().exactOptional(),
  eventDelayMs: delay.exactOptional(),
  chunkLength: z.int().min(1).exactOptional(),
  breaksOff: z
    .strictObject({
      how: z.enum(['cut', 'silence', 'error']),
      afterEvents: count,
      errorType: z.string().exactOptional(),
      message: z.string().exactOptional(),
    })
    .exactOptional(),
  ...timing,
});

const error = z.strictObject({
  type: z.literal('error'),
  status: z.int().min(400).max(599),
  errorType: z.string(),
  message: z.string(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  body: z.unknown().exactOptional(),
  ...timing,
});

const reply: z.ZodType<Reply> = z.preprocess(
  textToReply,
  z.discriminatedUnion('type', [message, error]),
);
const replies = z.array(reply);
const byRole: z.ZodType<CheckedScript> = z.strictObject({
  main: replies.exactOptional(),
  subagents: z.record(z.string().min(1), replies).exactOptional(),
  side: z.partialRecord(z.enum(sideKinds), replies).exactOptional(),
});

/** A script by role whose strings have become replies. */
export interface CheckedScript extends ScriptByRole {
  readonly main?: readonly Reply[];
  readonly subagents?: Readonly<Record<string, readonly Reply[]>>;
  readonly side?: Readonly<Partial<Record<SideKind, readonly Reply[]>>>;
}

/**
 * Checks a script that comes from a file: a JSON array of replies, or an object by role.
 *
 * @returns a script by role; an array becomes its `main`.
 * @throws FlowerError `script-mismatch` that names the wrong places; unknown fields are wrong, so
 * that a typo does not pass for a default.
 */
export function parseScript(value: unknown): CheckedScript {
  return Array.isArray(value)
    ? { main: parse(replies, value, 'the script') }
    : parse(byRole, value, 'the script');
}

/** Checks one reply, as a script function returns it; throws like {@link parseScript}. */
export function parseReply(value: unknown): Reply {
  return parse(reply, value, 'the reply');
}

function textToReply(value: unknown): unknown {
  return typeof value === 'string'
    ? { type: 'message', content: [{ type: 'text', text: value }] }
    : value;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const detail = `${what} is not valid: ${z.prettifyError(result.error)}`;
  throw new FlowerError('script-mismatch', { detail }, { cause: result.error });
}
