import { z } from 'zod';

/** What flower borrows from Claude Code's settings; nothing else of them is read. */
const BORROWED = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
  'CLAUDE_CODE_EFFORT_LEVEL',
] as const;

const settingsSchema = z.object({ env: z.record(z.string(), z.unknown()) });

/**
 * Reads the `env` block of a Claude Code settings file: the known names with a value.
 *
 * Text that is no such file gives nothing.
 */
export function parseClaudeSettings(text: string): ReadonlyMap<string, string> {
  const settings = settingsSchema.safeParse(parseJson(text));
  const values = new Map<string, string>();
  if (!settings.success) return values;
  for (const name of BORROWED) {
    const value = settings.data.env[name];
    if (typeof value === 'string' && value !== '') values.set(name, value);
    if (typeof value === 'number' && value !== 0) values.set(name, String(value));
  }
  return values;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
