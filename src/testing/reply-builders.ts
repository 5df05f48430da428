import type {
  ErrorReply,
  MessageReply,
  Reply,
  ReplyBlock,
  ReplyHold,
  ReplyTiming,
  StreamBreak,
  ToolUseBlock,
} from './reply.ts';

/** Everything of a message reply that is not its content. */
export type MessageOptions = Omit<MessageReply, 'type' | 'content'>;

/** A tool call to script; without `id` it gets a deterministic one. */
export type ToolCall = Omit<ToolUseBlock, 'type'>;

/** A message of any blocks, in the order in which they stand. */
export function messageReply(
  content: readonly ReplyBlock[],
  options: MessageOptions = {},
): MessageReply {
  return { type: 'message', content, ...options };
}

/** A plain text answer; it ends the turn. */
export function textReply(text: string, options: MessageOptions = {}): MessageReply {
  return messageReply([{ type: 'text', text }], options);
}

/** Thinking, then a text answer. */
export function thinkingReply(
  thinking: string,
  text: string,
  options: MessageOptions = {},
): MessageReply {
  return messageReply(
    [
      { type: 'thinking', thinking },
      { type: 'text', text },
    ],
    options,
  );
}

/**
 * One tool call, or several that Claude Code may run side by side.
 *
 * @param calls - One call or a list of them.
 * @param options - `text` is said before the calls.
 */
export function toolReply(
  calls: ToolCall | readonly ToolCall[],
  options: MessageOptions & { readonly text?: string } = {},
): MessageReply {
  const { text, ...rest } = options;
  const spoken: readonly ReplyBlock[] = text === undefined ? [] : [{ type: 'text', text }];
  const list: readonly ToolCall[] = 'name' in calls ? [calls] : calls;
  return messageReply([...spoken, ...list.map(toolUse)], rest);
}

/**
 * The answer that a query with `outputFormat` ends with.
 *
 * Claude Code offers a tool `StructuredOutput` then and checks its input against the schema. A valid
 * call ends the turn without another request; an invalid one is handed back to the model as an
 * error, so the script needs one more reply.
 */
export function structuredReply(
  value: Readonly<Record<string, unknown>>,
  options: MessageOptions = {},
): MessageReply {
  return toolReply({ name: 'StructuredOutput', input: value }, options);
}

/**
 * An HTTP error in the form of the Messages API.
 *
 * Claude Code retries 401, 408, 429 and 5xx up to `CLAUDE_CODE_MAX_RETRIES` times (10 by default),
 * and tries 400 and 422 again without some request features, whatever that number; each try takes
 * the next reply. The header `x-should-retry: false` makes it give up at once.
 *
 * @example
 * ```ts
 * apiError(429, 'rate_limit_error', 'Slow down', { headers: { 'retry-after': '1' } });
 * ```
 */
export function apiError(
  status: number,
  errorType: string,
  message: string,
  options: ReplyTiming & Pick<ErrorReply, 'headers' | 'body'> = {},
): ErrorReply {
  return { type: 'error', status, errorType, message, ...options };
}

/** The same message, whose connection is destroyed after `afterEvents` stream events. */
export function cutStream(reply: MessageReply, afterEvents: number): MessageReply {
  return breakOff(reply, { how: 'cut', afterEvents });
}

/** Headers, then nothing until the client gives up or the API is closed. */
export function silence(options: MessageOptions = {}): MessageReply {
  return breakOff(messageReply([], options), { how: 'silence', afterEvents: 0 });
}

/** The same reply, which waits for `release(name)`: before its headers, or after some events. */
export function hold<R extends Reply>(
  name: string,
  reply: R,
  options: Omit<ReplyHold, 'name'> = {},
): R {
  return { ...reply, hold: { name, ...options } };
}

function breakOff(reply: MessageReply, breaksOff: StreamBreak): MessageReply {
  return { ...reply, breaksOff };
}

function toolUse(call: ToolCall): ToolUseBlock {
  return { type: 'tool_use', ...call };
}
