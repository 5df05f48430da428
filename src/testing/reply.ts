/** Text that the scripted model says. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What the scripted model thinks before it speaks. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  /** @defaultValue a fixed one; Claude Code sends it back unread. */
  readonly signature?: string;
}

/** One tool that the scripted model asks Claude Code to run. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  /** As Claude Code offers it: `Read`, `Bash`, `Agent`, `mcp__server__tool`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** @defaultValue a deterministic `toolu_...` */
  readonly id?: string;
}

/** A part of a {@link MessageReply}, in the form of the Messages API. */
export type ReplyBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** Token counts that a reply reports; what is left out takes its default. */
export interface ReplyUsage {
  /** Tokens read neither from the cache nor into it. @defaultValue 100 */
  readonly inputTokens?: number;
  /** @defaultValue 20 */
  readonly outputTokens?: number;
  /** @defaultValue 0 */
  readonly cacheReadTokens?: number;
  /** @defaultValue 0 */
  readonly cacheWriteTokens?: number;
}

/** Why the message ended, as the Messages API names it. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'pause_turn'
  | 'refusal'
  | 'stop_sequence'
  | 'tool_use';

/** Where a reply waits until the test calls `release(name)`. */
export interface ReplyHold {
  readonly name: string;
  /**
   * Number of stream events sent before it waits; without it, it waits before the headers. An
   * answer that is not a stream always waits before the headers.
   */
  readonly afterEvents?: number;
}

/** How a stream breaks off: the socket dies, nothing more comes, or an `error` event comes. */
export interface StreamBreak {
  readonly how: 'cut' | 'silence' | 'error';
  /** Number of stream events sent before; 0 sends the headers alone. */
  readonly afterEvents: number;
  /** Of the `error` event. @defaultValue `overloaded_error` */
  readonly errorType?: string;
  /** Of the `error` event. @defaultValue `Overloaded` */
  readonly message?: string;
}

/** What every reply may carry. */
export interface ReplyTiming {
  /** Milliseconds before the headers. @defaultValue 0 */
  readonly delayMs?: number;
  readonly hold?: ReplyHold;
}

/** An answer of the model. */
export interface MessageReply extends ReplyTiming {
  readonly type: 'message';
  readonly content: readonly ReplyBlock[];
  /** @defaultValue `tool_use` when a block asks for a tool, else `end_turn` */
  readonly stopReason?: StopReason;
  readonly usage?: ReplyUsage;
  /** @defaultValue the model that the request names */
  readonly model?: string;
  /** @defaultValue a deterministic `msg_...` */
  readonly id?: string;
  /** Milliseconds between two stream events. @defaultValue 0 */
  readonly eventDelayMs?: number;
  /** Cuts text, thinking and tool input into pieces of this many characters. @defaultValue whole */
  readonly chunkLength?: number;
  readonly breaksOff?: StreamBreak;
}

/** An answer with an HTTP error status. */
export interface ErrorReply extends ReplyTiming {
  readonly type: 'error';
  readonly status: number;
  /** `overloaded_error`, `rate_limit_error`, `authentication_error`, ... */
  readonly errorType: string;
  readonly message: string;
  /** `retry-after`, `anthropic-ratelimit-unified-reset`, ... */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the usual error object; a string is sent as it is, as `text/html`. */
  readonly body?: unknown;
}

/** One answer of the scripted API. Plain data: it survives JSON. */
export type Reply = MessageReply | ErrorReply;
