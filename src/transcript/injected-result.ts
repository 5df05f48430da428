import type { TranscriptEntry } from './entry.ts';
import type { ToolCall } from './last-message.ts';

/** Where and when an injected row is written. */
export interface InjectionPlace {
  /** New uuid of the row. */
  readonly uuid: string;
  readonly sessionId: string;
  /** ISO time. */
  readonly timestamp: string;
  /**
   * Row that the result hangs on: the last row of the conversation when several results are
   * injected one after the other.
   *
   * @defaultValue the row of the call
   */
  readonly parentUuid?: string;
}

/**
 * Builds the row that answers a pending call, as the tool itself would have.
 *
 * The caller stores it like any other row; on resume the model sees the call with this result.
 *
 * @param call - A pending call of `turnState`.
 * @param content - Text of the result.
 */
export function injectedResult(
  call: ToolCall,
  content: string,
  place: InjectionPlace,
): TranscriptEntry {
  const callUuid = call.entry.uuid ?? null;
  return {
    type: 'user',
    uuid: place.uuid,
    parentUuid: place.parentUuid ?? callUuid,
    sourceToolAssistantUUID: callUuid,
    isSidechain: false,
    timestamp: place.timestamp,
    sessionId: place.sessionId,
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content }],
    },
  };
}

/** True for calls that start a subagent; the binary drops them from view when they are cut. */
export function isAgentCall(call: ToolCall): boolean {
  return call.name === 'Agent' || call.name === 'Task';
}

/**
 * Answers a pending subagent call: the agent was cut, and can be continued under its id.
 *
 * @param agentId - Id of the agent (`subagents/agent-<id>`); `undefined` when none was recorded, so
 *   that the agent never began.
 */
export function pendingAgentResult(
  call: ToolCall,
  agentId: string | undefined,
  place: InjectionPlace,
): TranscriptEntry {
  return injectedResult(call, agentId === undefined ? UNSTARTED : continuable(agentId), place);
}

const UNSTARTED =
  '[The session ended before this agent recorded anything. It did not report; start it again if ' +
  'its work is still needed.]';

function continuable(agentId: string): string {
  return (
    `[The session ended while this agent was working, before it reported. Its conversation and ` +
    `its files are kept. Do not start it again: continue it with SendMessage to "${agentId}".]`
  );
}
