import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import type { TokenCounts } from '../events/event.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';

/** The result message of a segment, in flower's words. */
export interface ReadResult {
  readonly ok: boolean;
  readonly costUsd: number;
  readonly numTurns: number;
  readonly structuredOutput?: unknown;
  readonly facts?: FailureFacts;
  readonly modelUsage: Readonly<Record<string, TokenCounts & { readonly costUsd: number }>>;
}

/**
 * Reads a result message.
 *
 * @param apiError - What is known of an API error that ended the turn.
 * @param limitResetsAt - Epoch seconds at which a refusing limit resets.
 */
export function readResult(
  message: SDKResultMessage,
  apiError: FailureFacts | undefined,
  limitResetsAt: number | undefined,
): ReadResult {
  // A "success" can be an error: the API failed and its text stands where the answer would.
  const ok = message.subtype === 'success' && !message.is_error;
  const common = {
    ok,
    costUsd: message.total_cost_usd,
    numTurns: message.num_turns,
    modelUsage: readModelUsage(message.modelUsage),
  };
  if (ok) {
    return message.structured_output === undefined
      ? common
      : { ...common, structuredOutput: message.structured_output };
  }
  const text = message.subtype === 'success' ? message.result : message.errors.join('\n');
  const facts: FailureFacts = {
    ...apiError,
    message: text === '' ? (apiError?.message ?? message.subtype) : text,
    resultSubtype: message.subtype,
    ...(message.terminal_reason === undefined ? {} : { terminalReason: message.terminal_reason }),
    ...(message.subtype === 'success' && message.api_error_status !== undefined
      ? { apiErrorStatus: message.api_error_status }
      : {}),
    ...(limitResetsAt === undefined ? {} : { limitResetsAt }),
  };
  return { ...common, facts };
}

function readModelUsage(usage: SDKResultMessage['modelUsage']): ReadResult['modelUsage'] {
  return Object.fromEntries(
    Object.entries(usage).map(([model, used]) => [
      model,
      {
        inputTokens: used.inputTokens,
        outputTokens: used.outputTokens,
        cacheReadTokens: used.cacheReadInputTokens,
        cacheWriteTokens: used.cacheCreationInputTokens,
        costUsd: used.costUSD,
      },
    ]),
  );
}
