import type { MessageReply, ReplyBlock, ReplyUsage, StopReason } from './reply.ts';

/** Token counts under the names of the Messages API. */
export interface WireUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

/** A message as the Messages API sends it when it does not stream. */
export interface WireMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly ReplyBlock[];
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: null;
  readonly usage: WireUsage;
}

/** One server-sent event: its name stands in `type`. */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a reply may leave open. */
export interface MessageDefaults {
  /** Deterministic part of ids, such as `0003m0005`. */
  readonly idStem: string;
  readonly model: string;
}

/** Fills in everything that the reply leaves open. */
export function toWireMessage(reply: MessageReply, defaults: MessageDefaults): WireMessage {
  return {
    id: reply.id ?? `msg_${defaults.idStem}`,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? defaults.model,
    content: reply.content.map((block, position) =>
      complete(block, `toolu_${defaults.idStem}b${position}`),
    ),
    stop_reason: reply.stopReason ?? usualStopReason(reply.content),
    stop_sequence: null,
    usage: toWireUsage(reply.usage ?? {}),
  };
}

/** The events that stream a message: start, then start, deltas and stop of each block, then the end. */
export function toWireEvents(message: WireMessage, chunkLength = Infinity): readonly WireEvent[] {
  const { stop_reason, stop_sequence, usage } = message;
  return [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...usage, output_tokens: Math.min(1, usage.output_tokens) },
      },
    },
    ...message.content.flatMap((block, index) => blockEvents(block, index, chunkLength)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: ReplyBlock, index: number, chunkLength: number): readonly WireEvent[] {
  const deltas = blockDeltas(block, chunkLength);
  return [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function blockDeltas(block: ReplyBlock, chunkLength: number): readonly WireEvent[] {
  switch (block.type) {
    case 'text':
      return chunks(block.text, chunkLength).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...chunks(block.thinking, chunkLength).map((thinking) => ({
          type: 'thinking_delta',
          thinking,
        })),
        { type: 'signature_delta', signature: block.signature ?? '' },
      ];
    case 'tool_use':
      return chunks(JSON.stringify(block.input), chunkLength).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
  }
}

function emptied(block: ReplyBlock): ReplyBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
  }
}

function complete(block: ReplyBlock, toolId: string): ReplyBlock {
  switch (block.type) {
    case 'text':
      return block;
    case 'thinking':
      return { signature: 'c2NyaXB0ZWQ=', ...block };
    case 'tool_use':
      return { id: toolId, ...block };
  }
}

/** Cuts by code points, so that no piece holds half a character. */
function chunks(text: string, length: number): readonly string[] {
  if (length === Infinity) return [text];
  const points = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < points.length; start += length) {
    pieces.push(points.slice(start, start + length).join(''));
  }
  return pieces;
}

function usualStopReason(content: readonly ReplyBlock[]): StopReason {
  return content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
}

function toWireUsage(usage: ReplyUsage): WireUsage {
  return {
    input_tokens: usage.inputTokens ?? 100,
    output_tokens: usage.outputTokens ?? 20,
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
  };
}
