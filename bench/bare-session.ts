import { type Options, query } from '@anthropic-ai/claude-agent-sdk';

/** Options of a session that no flower has a hand in. */
export interface BareSession {
  readonly prompt: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tools?: readonly string[];
  /** Session to continue, from the binary's own file. */
  readonly resume?: string;
}

/**
 * Runs one session with the SDK alone, to the end of its iterator.
 *
 * The options that decide how long Claude Code takes are those that flower gives it; the session
 * store, the hooks and the process handling are not there.
 */
export async function runBareSession(session: BareSession): Promise<void> {
  for await (const message of query({ prompt: session.prompt, options: bareOptions(session) })) {
    if (message.type !== 'result') continue;
    if (message.is_error) throw new Error(`The bare session failed: ${JSON.stringify(message)}`);
  }
}

/** The options of {@link runBareSession}. */
export function bareOptions({ workspace, env, tools = [], resume }: BareSession): Options {
  return {
    cwd: workspace,
    env: { ...env, CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1', DISABLE_AUTOUPDATER: '1' },
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    settingSources: [],
    tools: [...tools],
    allowedTools: [...tools],
    skills: [],
    plugins: [],
    strictMcpConfig: true,
    ...(resume === undefined ? {} : { resume }),
  };
}
