import type { ServerResponse } from 'node:http';

import { maxBodyBytes } from './read-body.ts';
import type { ScriptedRequest } from './scripted-request.ts';
import { endWithJson, errorBody } from './send-reply.ts';

/** Addresses that Claude Code and network probes look at. */
const probePaths: readonly string[] = ['/', '/api/hello'];

/**
 * Answers what takes no reply of the script: probes, token counts, what is unknown, what is broken.
 *
 * @param isTooLarge - The body was larger than {@link maxBodyBytes} and was thrown away.
 * @returns the status that was sent.
 */
export function answerBuiltIn(
  response: ServerResponse,
  request: Pick<ScriptedRequest, 'kind' | 'method' | 'path' | 'body'>,
  isTooLarge: boolean,
): number {
  const { status, body } = builtInAnswer(request, isTooLarge);
  endWithJson(response, status, body);
  return status;
}

function builtInAnswer(
  { kind, method, path, body }: Pick<ScriptedRequest, 'kind' | 'method' | 'path' | 'body'>,
  isTooLarge: boolean,
): { readonly status: number; readonly body: unknown } {
  const address = path.split('?')[0] ?? '';
  if (isTooLarge) {
    const text = `The body is larger than ${maxBodyBytes} bytes.`;
    return { status: 413, body: errorBody('request_too_large', text) };
  }
  if (kind !== 'other') {
    const text = 'The body is not a JSON object.';
    return { status: 400, body: errorBody('invalid_request_error', text) };
  }
  if (method === 'POST' && address === '/v1/messages/count_tokens') {
    return { status: 200, body: { input_tokens: estimateTokens(body) } };
  }
  if ((method === 'GET' || method === 'HEAD') && probePaths.includes(address)) {
    return { status: 200, body: { status: 'ok' } };
  }
  return {
    status: 404,
    body: errorBody('not_found_error', `${method} ${address} is not scripted.`),
  };
}

/** Four characters a token, as the documentation's rule of thumb says. */
function estimateTokens(body: unknown): number {
  return Math.ceil(JSON.stringify(body ?? '').length / 4);
}
