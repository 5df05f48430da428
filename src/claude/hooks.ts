import type {
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import type { AgentSpec } from './agent-spec.ts';
import type { EngineSignal } from './engine.ts';
import type { SessionMirror } from './session-mirror.ts';

type Hooks = Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** Tools that change nothing: their calls need not wait for their row. */
const readOnlyTools = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoWrite']);

/**
 * How long a changing tool waits for its own row to be on disk, in milliseconds.
 *
 * Measured: the row is there after 84 ms (105 at most); a kill before that leaves a side effect
 * that no record tells of.
 */
const durableCallTimeoutMs = 2_000;

/** What the hooks of a segment need. */
export interface HookContext {
  readonly mirror: SessionMirror;
  readonly onSignal: (signal: EngineSignal) => void;
}

/** The spec's hooks, failing closed, behind flower's own. */
export function segmentHooks(spec: AgentSpec, context: HookContext): Hooks {
  const hooks: Hooks = {};
  for (const [event, matchers] of entriesOf(spec.hooks ?? {})) {
    hooks[event] = matchers.map((matcher) => ({
      ...matcher,
      hooks: matcher.hooks.map((hook) => failClosed(hook, event, context.onSignal)),
    }));
  }
  hooks.PreToolUse = [{ hooks: [durableCallHook(context)] }, ...(hooks.PreToolUse ?? [])];
  return hooks;
}

function entriesOf(
  hooks: NonNullable<AgentSpec['hooks']>,
): [HookEvent, readonly HookCallbackMatcher[]][] {
  return Object.entries(hooks) as [HookEvent, readonly HookCallbackMatcher[]][];
}

/** A hook that throws would let the tool run (measured), so an exception becomes a refusal. */
function failClosed(
  hook: HookCallback,
  event: HookEvent,
  onSignal: HookContext['onSignal'],
): HookCallback {
  return async (input, toolUseId, options) => {
    try {
      return await hook(input, toolUseId, options);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      onSignal({ type: 'alarm', code: 'hook-failed', params: { hook: event, detail } });
      return event === 'PreToolUse' ? refusal(detail) : {};
    }
  };
}

function refusal(detail: string): HookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: `A guard of this step failed (${detail}); the call was not executed.`,
    },
  };
}

function durableCallHook({ mirror, onSignal }: HookContext): HookCallback {
  return async (input, toolUseId) => {
    if (input.hook_event_name !== 'PreToolUse' || readOnlyTools.has(input.tool_name)) return {};
    const id = toolUseId ?? input.tool_use_id;
    if (!(await mirror.untilDurable(id, durableCallTimeoutMs))) {
      const params = { tool: input.tool_name, id, waitedMs: durableCallTimeoutMs };
      onSignal({ type: 'alarm', code: 'transcript-row-late', params });
    }
    return {};
  };
}
