import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { MessageQueue } from './message-queue.ts';

/**
 * What the agent is told during one segment, as the SDK's streaming input.
 *
 * The input stays open until `close()`, so that more can be said in mid-turn; Claude Code ends by
 * itself once it is closed.
 */
export class PromptInput {
  readonly #queue = new MessageQueue<SDKUserMessage>();

  /** Sends one message. A text that begins with `/` is no command: it was composed by code. */
  say(text: string): void {
    this.#queue.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      ...(text.trimStart().startsWith('/') ? { client_composed: true as const } : {}),
    });
  }

  /** Nothing more will be said. */
  close(): void {
    this.#queue.close();
  }

  /** The messages, for the SDK. */
  messages(): AsyncIterable<SDKUserMessage> {
    return this.#queue;
  }
}
