import { createScriptPlayer } from './script-player.ts';
import type { ScriptedApi, ScriptedApiOptions } from './scripted-api.ts';
import { ScriptedServer } from './scripted-server.ts';

/**
 * Starts a scripted Messages API on loopback, against which the real Claude Code runs offline.
 *
 * Requests of the conversation take the script's replies in order of arrival; a retry takes the
 * next one. Side requests (session title, compaction, ...) get neutral answers and take none. A
 * request that the script does not hold is answered with status 403, which Claude Code does not
 * retry, and makes `assertDone` throw.
 *
 * @throws FlowerError `script-mismatch` when the script is not valid; what `listen` throws when the
 * port is taken.
 * @example
 * ```ts
 * import { query } from '@anthropic-ai/claude-agent-sdk';
 * import { createTestHome, startScriptedApi, textReply, toolReply } from 'flower-agent/testing';
 *
 * await using api = await startScriptedApi({
 *   script: [
 *     toolReply({ name: 'Write', input: { file_path: 'greeting.txt', content: 'Hello' } }),
 *     textReply('The greeting is written.'),
 *   ],
 * });
 * await using home = await createTestHome({ api });
 * const options = { cwd: home.workspace, env: home.env, settingSources: [], allowedTools: ['Write'] };
 * for await (const message of query({ prompt: 'Write a greeting.', options })) {
 *   if (message.type === 'result') console.log(message.subtype);
 * }
 * api.assertDone();
 * ```
 */
export async function startScriptedApi(options: ScriptedApiOptions): Promise<ScriptedApi> {
  const host = options.host ?? '127.0.0.1';
  const player = createScriptPlayer(options.script);
  const server = new ScriptedServer(player, host);
  await server.listen(options.port ?? 0);
  return server;
}
