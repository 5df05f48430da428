import type { IncomingHttpHeaders } from 'node:http';

import { sideKindOf, type RequestKind } from './request-kind.ts';

/** One message of a request's conversation, as it was sent. */
export interface RequestMessage {
  /** `user`, `assistant`, or `system` for a note of Claude Code inside the conversation. */
  readonly role: string;
  readonly content: unknown;
}

/** A tool result in the last user message of a request. */
export interface RequestToolResult {
  readonly toolUseId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** How an answer ended. */
export type AnswerOutcome =
  | 'pending'
  | 'complete'
  /** Broken off on purpose: socket destroyed or error event sent. */
  | 'cut'
  /** The client went away before the end. */
  | 'client-gone'
  /** The API was closed or refused connections before the end. */
  | 'api-closed';

/** What was answered to a request. */
export interface RequestAnswer {
  /** `mismatch`: the script held no reply. `built-in`: anything but `POST /v1/messages`. */
  readonly source: 'script' | 'neutral' | 'mismatch' | 'built-in';
  readonly status: number;
  readonly outcome: AnswerOutcome;
}

/** One request as it came, and what became of it. */
export interface ScriptedRequest {
  /** Position in `ScriptedApi.requests`, from 0. */
  readonly index: number;
  /** Milliseconds since the epoch at which its body was complete. */
  readonly at: number;
  readonly method: string;
  /** With the query: `/v1/messages?beta=true`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; the text itself when it is not JSON; `undefined` when empty. */
  readonly body: unknown;
  readonly kind: RequestKind;
  /** Header `x-claude-code-session-id`. */
  readonly sessionId: string | undefined;
  /** Header `x-claude-code-agent-id`; set for subagents only. */
  readonly agentId: string | undefined;
  readonly model: string | undefined;
  /** True when the client asks for server-sent events. */
  readonly stream: boolean;
  /** System prompt: its text blocks, joined by blank lines. */
  readonly system: string;
  readonly messages: readonly RequestMessage[];
  /** Names of the offered tools, in order. */
  readonly tools: readonly string[];
  /** Text of the last user message, reminders of Claude Code included. */
  readonly lastUserText: string;
  /** Tool results of the last user message. */
  readonly toolResults: readonly RequestToolResult[];
  /** So far: `outcome` is `pending` until the answer has ended. */
  readonly answer: RequestAnswer;
}

/** The raw parts of an HTTP request. */
export interface RawRequest {
  readonly index: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Reads the facts out of a raw request; never throws, whatever the body holds. */
export function describeRequest(raw: RawRequest): Omit<ScriptedRequest, 'answer'> {
  const body = isRecord(raw.body) ? raw.body : {};
  const agentId = headerOf(raw.headers, 'x-claude-code-agent-id');
  const messages = listOf(body['messages']).filter(isRecord).map(toMessage);
  const last = messages.findLast((message) => message.role === 'user')?.content;
  const lastUserTexts = textsOf(last);
  return {
    ...raw,
    kind: isMessagesCall(raw)
      ? (sideKindOf({ body, lastUserTexts }) ?? (agentId === undefined ? 'main' : 'subagent'))
      : 'other',
    sessionId: headerOf(raw.headers, 'x-claude-code-session-id'),
    agentId,
    model: typeof body['model'] === 'string' ? body['model'] : undefined,
    stream: body['stream'] === true,
    system: textsOf(body['system']).join('\n\n'),
    messages,
    tools: listOf(body['tools']).filter(isRecord).map(nameOf),
    lastUserText: lastUserTexts.join('\n\n'),
    toolResults: listOf(last).filter(isRecord).filter(isToolResult).map(toToolResult),
  };
}

/** All text of a conversation: what was said, called and returned, one part a line. */
export function conversationText(request: Pick<ScriptedRequest, 'messages'>): string {
  return request.messages.flatMap((message) => partsOf(message.content)).join('\n');
}

function isMessagesCall(raw: RawRequest): boolean {
  return raw.method === 'POST' && raw.path.split('?')[0] === '/v1/messages';
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function toMessage(message: Readonly<Record<string, unknown>>): RequestMessage {
  return { role: String(message['role']), content: message['content'] };
}

function nameOf(tool: Readonly<Record<string, unknown>>): string {
  return String(tool['name']);
}

function isToolResult(block: Readonly<Record<string, unknown>>): boolean {
  return block['type'] === 'tool_result';
}

function toToolResult(block: Readonly<Record<string, unknown>>): RequestToolResult {
  return {
    toolUseId: String(block['tool_use_id']),
    text: textsOf(block['content']).join('\n'),
    isError: block['is_error'] === true,
  };
}

function partsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listOf(content).filter(isRecord).flatMap(partOf);
}

function partOf(block: Readonly<Record<string, unknown>>): readonly string[] {
  if (block['type'] === 'tool_use') return [`${nameOf(block)} ${JSON.stringify(block['input'])}`];
  if (isToolResult(block)) return textsOf(block['content']);
  return textsOf([block]);
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listOf(content)
    .filter(isRecord)
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
