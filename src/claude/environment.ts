import { markVariable } from './process-list.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment of an agent's process is made of. */
export interface AgentEnvironmentParts {
  /** Usually `process.env`. */
  readonly base: Environment;
  /** `AgentSpec.env`; wins over `base`. */
  readonly specEnv?: Environment;
  /** Value of `FLOWER_MARK`, unique for this process. */
  readonly mark: string;
  /** Ours for this start, for example {@link wakeEnvironment}; wins over both. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Version of flower, sent in the user agent. @defaultValue not sent */
  readonly version?: string;
}

/**
 * The whole environment of an agent's process.
 *
 * Settings of the user reach it. What an outer Claude Code session leaves in the environment of its
 * commands does not: such a marker turns off the saving of the transcript, reuses a foreign session
 * id or wakes a foreign turn. A spec that spreads `process.env` is cleaned the same way.
 */
export function agentEnvironment(parts: AgentEnvironmentParts): Record<string, string> {
  const { base, specEnv = {}, mark, extra = {}, version } = parts;
  const inherited = Object.entries({ ...base, ...specEnv }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isSessionMarker(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    ...(version === undefined ? {} : { CLAUDE_AGENT_SDK_CLIENT_APP: `flower-agent/${version}` }),
    ...extra,
    ...fixedVariables,
    [markVariable]: mark,
  };
}

/**
 * Variables that let Claude Code go on by itself in the middle of a cut turn, with `text` as what
 * it is told. Undocumented; only for a start with `resume` and without a prompt.
 */
export function wakeEnvironment(text: string): Record<string, string> {
  return {
    CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
    CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
    CLAUDE_CODE_RESUME_PROMPT: text,
  };
}

/** True for a variable that belongs to another Claude Code session or to the program that hosts it. */
function isSessionMarker(name: string): boolean {
  if (keptVariables.has(name)) return false;
  return markerNames.has(name) || markerPrefixes.some((prefix) => name.startsWith(prefix));
}

const fixedVariables = {
  // Subagents and commands stay in the turn that started them, where a kill and a wake see them.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: '1',
  // Its folder stands in the system prompt, so a new folder at a wake would spoil the prompt cache.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  DISABLE_AUTOUPDATER: '1',
} as const;

/** Settings that only look like markers. */
const keptVariables: ReadonlySet<string> = new Set([
  'CLAUDE_CODE_HOST_CREDS_FILE',
  'CLAUDE_CODE_HOST_HTTP_PROXY_PORT',
  'CLAUDE_CODE_HOST_SOCKS_PROXY_PORT',
]);

const markerPrefixes: readonly string[] = [
  'CLAUDE_BG_',
  'CLAUDE_BRIDGE_REATTACH_',
  'CLAUDE_CODE_BRIDGE_',
  'CLAUDE_CODE_EVAL_',
  'CLAUDE_CODE_HOST_',
  'CLAUDE_CODE_RELAUNCH_',
  'CLAUDE_CODE_REMOTE',
  'CLAUDE_CODE_RESUME_',
  'CLAUDE_CODE_SDK_',
  'CLAUDE_CODE_SESSION_',
  'CLAUDE_CODE_USER_DELEGATED_SESSION',
  'CLAUDE_PTY_',
  'CLAUDE_RELAUNCH_',
];

const markerNames: ReadonlySet<string> = new Set([
  // set for every command that a session runs
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_NOTES_DIR',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_INVOKED_SKILLS',
  'CLAUDE_CODE_STARTER_MAY_HOLD_CONNECTOR_FILE',
  'CLAUDE_CODE_TOOL_USE_ID',
  'CLAUDE_EFFORT',
  'CLAUDE_PID',
  // set for hooks, plugins and MCP servers of a session
  'CLAUDE_CODE_MCP_SERVER_NAME',
  'CLAUDE_CODE_MCP_SERVER_URL',
  'CLAUDE_CODE_PLUGIN_NAME',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_SESSION_ID',
  'CLAUDE_SKILL_DIR',
  // what kind of session it is, who started it, where it keeps its rows
  'CLAUDE_AGENT_SDK_CLIENT_APP',
  'CLAUDE_AGENT_SDK_VERSION',
  'CLAUDE_CODE_AGENT',
  'CLAUDE_CODE_AGENT_VIEW_RELAUNCH',
  'CLAUDE_CODE_CLOUD_SESSION_ID',
  'CLAUDE_CODE_CONTAINER_ID',
  'CLAUDE_CODE_COORDINATOR_MODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_ENVIRONMENT_KIND',
  'CLAUDE_CODE_EXPERIMENTAL_CODE_MODE_RESTARTED_FROM',
  'CLAUDE_CODE_FORCE_SESSION_PERSISTENCE',
  'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_PLAN_MODE_REQUIRED',
  'CLAUDE_CODE_PROJECTS_SESSION',
  'CLAUDE_CODE_PROJECT_DIR_NAME',
  'CLAUDE_CODE_RESULT_NONCE',
  'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
  'CLAUDE_CODE_SPAWNED_BY_SERVER',
  'CLAUDE_CODE_SPAWN_TIMESTAMP_MS',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_SUPERVISED',
  'CLAUDE_CODE_TASK_LIST_ID',
  'CLAUDE_CODE_TEAMMATE_COMMAND',
  'CLAUDE_CODE_TRIGGER_ID',
  'CLAUDE_CODE_WORKER_EPOCH',
  'CLAUDE_INTERNAL_SESSION_TASK_LIST_ID',
  'CLAUDE_JOB_DIR',
  // numbers of descriptors that this process does not pass on
  'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR',
  'CLAUDE_CODE_GATEWAY_TOKEN_FILE_DESCRIPTOR',
  'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR',
  'CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR',
]);
