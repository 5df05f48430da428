import type {
  AgentDefinition,
  EffortLevel,
  HookCallbackMatcher,
  HookEvent,
  McpServerConfig,
  PermissionMode,
} from '@anthropic-ai/claude-agent-sdk';

/**
 * What an agent is: its role, its tools, its limits. Stateless; one spec may serve many steps.
 *
 * `instructions` are appended to Claude Code's own system prompt, never put in its place.
 * `allowedTools` is the whole white list of the step: nothing else is offered to the model. An
 * entry may narrow a tool, as in `Bash(git status *)`.
 *
 * @example
 * ```ts
 * const reader: AgentSpec = { name: 'reader', instructions: 'Answer in one line.', maxTurns: 4 };
 * ```
 */
export interface AgentSpec {
  readonly name: string;
  /** @defaultValue `''` */
  readonly instructions?: string;
  /** @defaultValue `['Read', 'Glob', 'Grep']` */
  readonly allowedTools?: readonly string[];
  /** Forbidden in the whole session, subagents included. @defaultValue `[]` */
  readonly disallowedTools?: readonly string[];
  /** @defaultValue the model of the environment or of Claude Code */
  readonly model?: string;
  readonly effort?: EffortLevel;
  /** Upper bound of model round-trips of one attempt. @defaultValue none */
  readonly maxTurns?: number;
  /** Upper bound in USD of this agent's run, retries included. @defaultValue none */
  readonly maxBudgetUsd?: number;
  /** @defaultValue `'default'` */
  readonly permissionMode?: PermissionMode;
  /** Subagents by name. @defaultValue none */
  readonly agents?: Readonly<Record<string, AgentDefinition>>;
  /** @defaultValue none */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** In-process hooks; one that throws counts as a denial. @defaultValue none */
  readonly hooks?: Readonly<Partial<Record<HookEvent, readonly HookCallbackMatcher[]>>>;
  /** Added to the agent's environment. @defaultValue `{}` */
  readonly env?: Readonly<Record<string, string>>;
}

/** Tools of a spec that names none. */
export const defaultAllowedTools: readonly string[] = ['Read', 'Glob', 'Grep'];
