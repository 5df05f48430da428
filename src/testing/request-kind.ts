/** Requests that Claude Code makes besides the conversation itself. */
export const sideKinds = ['compaction', 'form', 'probe', 'search', 'suggestion'] as const;

/**
 * A request beside the conversation.
 *
 * `compaction` asks for a summary; `form` asks for JSON by `output_config.format` (session title,
 * prompt hooks); `probe` has `max_tokens` 1 (quota, model check); `search` offers server tools only
 * (WebSearch); `suggestion` asks what the person may type next.
 */
export type SideKind = (typeof sideKinds)[number];

/** Whose request it is; `other` is everything but `POST /v1/messages`. */
export type RequestKind = 'main' | 'subagent' | SideKind | 'other';

/** What {@link sideKindOf} looks at. */
export interface KindFacts {
  readonly body: Readonly<Record<string, unknown>>;
  /** Text blocks of the last user message. */
  readonly lastUserTexts: readonly string[];
}

/**
 * Recognises side requests of Claude Code 2.1 by what they send; everything else is conversation.
 *
 * Compaction and suggestion share system prompt and tools with the conversation (for the prompt
 * cache), so only the text of the last message tells them apart.
 */
export function sideKindOf({ body, lastUserTexts }: KindFacts): SideKind | undefined {
  if (body['max_tokens'] === 1) return 'probe';
  if (asksForForm(body['output_config'])) return 'form';
  if (offersServerToolsOnly(body['tools'])) return 'search';
  const last = lastUserTexts.at(-1) ?? '';
  if (last.startsWith('CRITICAL: Respond with TEXT ONLY')) return 'compaction';
  if (last.startsWith('[SUGGESTION MODE')) return 'suggestion';
  return undefined;
}

function asksForForm(outputConfig: unknown): boolean {
  return typeof outputConfig === 'object' && outputConfig !== null && 'format' in outputConfig;
}

function offersServerToolsOnly(tools: unknown): boolean {
  return Array.isArray(tools) && tools.length > 0 && tools.every(isServerTool);
}

function isServerTool(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && 'type' in tool && !('input_schema' in tool);
}
