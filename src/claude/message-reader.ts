import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import type { ConversationEvent, SegmentMessage } from './engine.ts';
import { type ReadResult, readResult } from './read-result.ts';
import { clip, resultText, toolSummary } from './tool-text.ts';

type AssistantMessage = Extract<SDKMessage, { type: 'assistant' }>;
type UserMessage = Extract<SDKMessage, { type: 'user' }>;
type SystemMessage = Extract<SDKMessage, { type: 'system' }>;
type Speaker = { readonly subagent?: { readonly id: string; readonly type?: string } };

const resultTextLimit = 500;
/** Tools that start no program of their own. */
const fileTools = new Set([
  'Read',
  'Glob',
  'Grep',
  'Write',
  'Edit',
  'NotebookEdit',
  'TodoWrite',
  'StructuredOutput',
]);
const syntheticModel = '<synthetic>';
/** A guard's refusal, or a call of a tool that the step does not offer at all. */
const refusal = /^PreToolUse:\S+ hook error:|^(?:<tool_use_error>)?Error: No such tool available/;

/**
 * Translates the SDK's messages of one segment into flower's.
 *
 * Synthetic assistant messages (API errors) never become text: they are kept as failure facts.
 */
export class MessageReader {
  readonly #tools = new Map<string, string>();
  /** Calls without a result, each with the call whose subagent made it. */
  readonly #running = new Map<string, string | null>();
  readonly #denied = new Set<string>();
  #retrying = false;
  #apiError: FailureFacts | undefined;
  #limitResetsAt: number | undefined;
  #result: ReadResult | undefined;
  #spoken = false;
  #lostRows = false;
  #refused = false;

  /** The last result message, if one came. */
  get result(): ReadResult | undefined {
    return this.#result;
  }

  /** True once the model has answered anything in this segment. */
  get spoken(): boolean {
    return this.#spoken;
  }

  /** True when rows did not reach the store, or not whole. */
  get hasLostRows(): boolean {
    return this.#lostRows;
  }

  /** True once a tool was called that can start programs: any but the ones that only read or edit. */
  get hasRunCommands(): boolean {
    return [...this.#tools.values()].some((tool) => !fileTools.has(tool));
  }

  /**
   * True when the API refuses the credentials. Claude Code would try again for three minutes, which
   * helps only where it can renew a login, and it does that before the first retry.
   */
  get isRefused(): boolean {
    return this.#refused;
  }

  /** What is known of an API error, for an end without a result. */
  get apiError(): FailureFacts | undefined {
    return this.#apiError;
  }

  /** Reads one SDK message; unknown types only count as a sign of life. */
  read(message: SDKMessage): SegmentMessage[] {
    const messages = this.#translate(message);
    return [...messages, this.#activity()];
  }

  #activity(): SegmentMessage {
    return { kind: 'activity', quiet: this.#running.size === 0 && !this.#retrying };
  }

  #translate(message: SDKMessage): SegmentMessage[] {
    switch (message.type) {
      case 'assistant':
        return this.#assistant(message);
      case 'user':
        return this.#user(message);
      case 'result':
        this.#result = readResult(message, this.#apiError, this.#limitResetsAt);
        return [];
      case 'rate_limit_event':
        if (message.rate_limit_info.status === 'rejected') {
          this.#limitResetsAt = message.rate_limit_info.resetsAt;
        }
        return [];
      case 'stream_event':
        this.#retrying = false;
        return [];
      case 'system':
        return this.#system(message);
      default:
        return [];
    }
  }

  #assistant(message: AssistantMessage): SegmentMessage[] {
    this.#retrying = false;
    if (message.error !== undefined || message.message.model === syntheticModel) {
      if (message.error !== undefined && message.parent_tool_use_id === null) {
        this.#apiError = { error: message.error, message: proseOf(message) };
      }
      return [];
    }
    this.#spoken = true;
    // Once the model has answered, what failed before is not what ends the turn.
    if (message.parent_tool_use_id === null) this.#apiError = undefined;
    const speaker = speakerOf(message);
    const events: ConversationEvent[] = [];
    for (const block of message.message.content) {
      if (block.type === 'text' && block.text !== '') {
        events.push({ type: 'text', text: block.text, ...speaker });
      } else if (block.type === 'thinking' && block.thinking !== '') {
        events.push({ type: 'thinking', text: block.thinking, ...speaker });
      } else if (block.type === 'tool_use') {
        this.#tools.set(block.id, block.name);
        this.#running.set(block.id, message.parent_tool_use_id);
        events.push({
          type: 'tool-call',
          id: block.id,
          tool: block.name,
          summary: toolSummary(block.input),
          input: block.input,
          ...speaker,
        });
      }
    }
    return events.map(asEvent);
  }

  #user(message: UserMessage): SegmentMessage[] {
    const speaker = speakerOf(message);
    const content = message.message.content;
    if (typeof content === 'string') {
      return [asEvent({ type: 'prompt', text: content, ...speaker })];
    }
    const events: ConversationEvent[] = [];
    for (const block of content) {
      if (block.type === 'text') {
        events.push({ type: 'prompt', text: block.text, ...speaker });
      } else if (block.type === 'tool_result') {
        events.push(this.#toolResult(block, speaker));
      }
    }
    return events.map(asEvent);
  }

  #toolResult(
    block: { tool_use_id: string; is_error?: boolean; content?: unknown },
    speaker: Speaker,
  ): ConversationEvent {
    const id = block.tool_use_id;
    this.#endCall(id);
    const text = resultText(block.content);
    const ok = block.is_error !== true;
    const denied = this.#denied.delete(id) || (!ok && refusal.test(text));
    return {
      type: 'tool-result',
      id,
      tool: this.#tools.get(id) ?? '',
      ok,
      text: clip(text, resultTextLimit),
      ...(denied ? { denied } : {}),
      ...speaker,
    };
  }

  /** A subagent that was cut leaves calls that never get a result of their own. */
  #endCall(id: string): void {
    this.#running.delete(id);
    for (const [call, parent] of this.#running) if (parent === id) this.#endCall(call);
  }

  #system(message: SystemMessage): SegmentMessage[] {
    switch (message.subtype) {
      case 'init':
        return [{ kind: 'init', binaryVersion: message.claude_code_version, model: message.model }];
      case 'api_retry':
        this.#retrying = true;
        if (message.error_status === 401) {
          this.#refused = true;
          this.#apiError = {
            error: message.error,
            apiErrorStatus: message.error_status,
            message: 'API Error: 401 The API refused the credentials.',
          };
        }
        return [
          { kind: 'api-retry', delayMs: message.retry_delay_ms, status: message.error_status },
        ];
      case 'permission_denied':
        this.#denied.add(message.tool_use_id);
        return [];
      case 'compact_boundary':
        return [asEvent(readBoundary(message))];
      case 'mirror_error':
        this.#lostRows = true;
        return [alarm('transcript-not-saved', { detail: message.error })];
      case 'session_writes_lost':
        if (!message.lost.includes('transcript')) return [];
        this.#lostRows = true;
        return [alarm('transcript-not-saved', { detail: message.error_code })];
      default:
        return [];
    }
  }
}

function asEvent(event: ConversationEvent): SegmentMessage {
  return { kind: 'event', event };
}

function alarm(code: 'transcript-not-saved', params: Record<string, string>): SegmentMessage {
  return { kind: 'signal', signal: { type: 'alarm', code, params } };
}

function speakerOf(message: AssistantMessage | UserMessage): Speaker {
  if (message.parent_tool_use_id === null) return {};
  const id = 'agent_id' in message ? message.agent_id : undefined;
  const type = 'subagent_type' in message ? message.subagent_type : undefined;
  return {
    subagent: {
      id: id ?? message.parent_tool_use_id,
      ...(type === undefined ? {} : { type }),
    },
  };
}

function proseOf(message: AssistantMessage): string {
  return message.message.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
}

function readBoundary(
  message: Extract<SystemMessage, { subtype: 'compact_boundary' }>,
): ConversationEvent {
  const { trigger, pre_tokens: preTokens, post_tokens: postTokens } = message.compact_metadata;
  return {
    type: 'reset',
    trigger,
    ...(preTokens === undefined ? {} : { preTokens }),
    ...(postTokens === undefined ? {} : { postTokens }),
  };
}
