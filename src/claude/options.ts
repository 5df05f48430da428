import type { Options, SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { type AgentSpec, defaultAllowedTools } from './agent-spec.ts';
import type { SegmentRequest } from './engine.ts';

/** What the options of a segment need besides the request. */
export interface OptionsContext {
  readonly workspace: string;
  /** True: the project's `.claude/` and `CLAUDE.md` count. */
  readonly projectSettings: boolean;
  readonly environment: Record<string, string>;
  readonly sessionStore: NonNullable<Options['sessionStore']>;
  readonly hooks: NonNullable<Options['hooks']>;
  readonly spawn: (options: SpawnOptions) => SpawnedProcess;
  readonly abortController: AbortController;
}

/**
 * The SDK's options for one segment.
 *
 * Claude Code's own system prompt stays, the role's text is appended; no settings of the host are
 * read; what is offered to the model is exactly what the spec allows.
 */
export function buildOptions(request: SegmentRequest, context: OptionsContext): Options {
  const { spec } = request;
  const allowedTools = [...(spec.allowedTools ?? defaultAllowedTools)];
  return {
    cwd: context.workspace,
    env: context.environment,
    abortController: context.abortController,
    spawnClaudeCodeProcess: context.spawn,
    systemPrompt: {
      type: 'preset',
      preset: 'claude_code',
      ...(spec.instructions === undefined || spec.instructions === ''
        ? {}
        : { append: spec.instructions }),
    },
    settingSources: context.projectSettings ? ['project'] : [],
    tools: offeredTools(spec, allowedTools),
    allowedTools,
    disallowedTools: [...(spec.disallowedTools ?? [])],
    permissionMode: spec.permissionMode ?? 'default',
    skills: [],
    plugins: [],
    mcpServers: { ...spec.mcpServers },
    strictMcpConfig: !context.projectSettings,
    hooks: context.hooks,
    sessionStore: context.sessionStore,
    sessionStoreFlush: 'eager',
    includePartialMessages: true,
    ...sessionOptions(request),
    ...limits(request),
    ...agentOptions(spec),
    ...(request.outputSchema === undefined
      ? {}
      : { outputFormat: { type: 'json_schema', schema: request.outputSchema } }),
  };
}

/** Names without their patterns: `Bash(git *)` offers `Bash`; MCP tools come with their server. */
function offeredTools(spec: AgentSpec, allowedTools: readonly string[]): string[] {
  const names = allowedTools.map((tool) => tool.replace(/\(.*$/s, ''));
  const builtIn = names.filter((name) => !name.startsWith('mcp__'));
  // Agents that were cut off are continued with SendMessage, so it comes with them.
  const forAgents = spec.agents === undefined ? [] : ['Agent', 'SendMessage'];
  return [...new Set([...builtIn, ...forAgents])];
}

function sessionOptions(request: SegmentRequest): Partial<Options> {
  if (request.start === 'new') return { sessionId: request.sessionId };
  return {
    resume: request.sessionId,
    ...(request.resumeAt === undefined ? {} : { resumeSessionAt: request.resumeAt }),
  };
}

function limits({ spec, budgetUsd }: SegmentRequest): Partial<Options> {
  return {
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(spec.effort === undefined ? {} : { effort: spec.effort }),
    ...(spec.maxTurns === undefined ? {} : { maxTurns: spec.maxTurns }),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
    ...(spec.permissionMode === 'bypassPermissions'
      ? { allowDangerouslySkipPermissions: true }
      : {}),
  };
}

/**
 * Agents are passed in both ways: the option alone arrives after the automatic turn of a wake has
 * begun, and a revived worker would run as a general agent with all tools (measured).
 */
function agentOptions(spec: AgentSpec): Partial<Options> {
  if (spec.agents === undefined) return {};
  return { agents: { ...spec.agents }, extraArgs: { agents: JSON.stringify(spec.agents) } };
}
