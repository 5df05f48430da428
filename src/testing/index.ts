/**
 * `flower-agent/testing`: the real Claude Code, offline, against a scripted Messages API.
 *
 * @example
 * ```ts
 * import { query } from '@anthropic-ai/claude-agent-sdk';
 * import { createTestHome, startScriptedApi, textReply, toolReply } from 'flower-agent/testing';
 *
 * const api = await startScriptedApi({
 *   script: [
 *     toolReply({ name: 'Bash', input: { command: 'ls', description: 'List files' } }),
 *     textReply('There is one file.'),
 *   ],
 * });
 * const home = await createTestHome({ api, files: { 'notes.txt': 'alpha' } });
 * try {
 *   const options = {
 *     cwd: home.workspace,
 *     env: home.env,
 *     settingSources: [],
 *     allowedTools: ['Bash'],
 *   };
 *   for await (const message of query({ prompt: 'What is here?', options })) {
 *     if (message.type === 'result' && message.subtype === 'success') {
 *       console.log(message.result); // There is one file.
 *     }
 *   }
 *   console.log(api.requests[1]?.toolResults[0]?.text); // notes.txt
 *   api.assertDone();
 * } finally {
 *   await api.close();
 *   await home.dispose();
 * }
 * ```
 *
 * @module
 */

// the API
export { startScriptedApi } from './start-scripted-api.ts';
export type { ScriptedApi, ScriptedApiOptions, WaitOptions } from './scripted-api.ts';

// what came
export { conversationText } from './scripted-request.ts';
export type {
  AnswerOutcome,
  RequestAnswer,
  RequestMessage,
  RequestToolResult,
  ScriptedRequest,
} from './scripted-request.ts';
export type { RequestKind, SideKind } from './request-kind.ts';

// what is answered
export { parseScript } from './parse-script.ts';
export type { CheckedScript } from './parse-script.ts';
export type { Script, ScriptByRole, ScriptFunction, ScriptReply } from './script.ts';
export type {
  ErrorReply,
  MessageReply,
  Reply,
  ReplyBlock,
  ReplyHold,
  ReplyTiming,
  ReplyUsage,
  StopReason,
  StreamBreak,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from './reply.ts';
export {
  apiError,
  cutStream,
  hold,
  messageReply,
  silence,
  structuredReply,
  textReply,
  thinkingReply,
  toolReply,
} from './reply-builders.ts';
export type { MessageOptions, ToolCall } from './reply-builders.ts';

// where it runs
export { createTestHome } from './create-test-home.ts';
export type { TestHome, TestHomeOptions } from './create-test-home.ts';
