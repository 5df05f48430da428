import { z } from 'zod';
import type { TokenCounts } from '../events/event.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';

/** Usage of one model response, as its stored rows state it. */
export interface AssistantUsage {
  readonly messageId: string;
  readonly model: string;
  readonly tokens: TokenCounts;
}

const syntheticModel = '<synthetic>';
const count = z.number().catch(0);
const assistantMessage = z.object({
  id: z.string(),
  model: z.string(),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});
const contentMessage = z.object({ content: z.array(z.unknown()) });
const toolUse = z.object({ type: z.literal('tool_use'), id: z.string() });

/** Usage of an assistant row; `undefined` for other rows and for synthetic messages. */
export function assistantUsage(entry: TranscriptEntry): AssistantUsage | undefined {
  if (entry.type !== 'assistant') return undefined;
  const parsed = assistantMessage.safeParse(entry['message']);
  if (!parsed.success || parsed.data.model === syntheticModel) return undefined;
  const { id, model, usage } = parsed.data;
  return {
    messageId: id,
    model,
    tokens: {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_input_tokens,
      cacheWriteTokens: usage.cache_creation_input_tokens,
    },
  };
}

/** Ids of the tool calls that an assistant row holds. */
export function toolCallIds(entry: TranscriptEntry): string[] {
  if (entry.type !== 'assistant') return [];
  const parsed = contentMessage.safeParse(entry['message']);
  if (!parsed.success) return [];
  return parsed.data.content.flatMap((block) => {
    const call = toolUse.safeParse(block);
    return call.success ? [call.data.id] : [];
  });
}
