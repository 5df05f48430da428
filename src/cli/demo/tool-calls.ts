import type { RequestMessage } from '../../testing/index.ts';

/** One tool call of a conversation, as the API saw it. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Text of its result; `undefined` while it has none. */
  readonly result: string | undefined;
}

/** Every tool call that stands in a conversation, in order. */
export function toolCalls(messages: readonly RequestMessage[]): SeenCall[] {
  const blocks = messages.flatMap(({ content }) => listOf(content)).filter(isRecord);
  const results = new Map(
    blocks
      .filter((block) => block['type'] === 'tool_result')
      .map((block) => [block['tool_use_id'], textOf(block['content'])]),
  );
  return blocks
    .filter((block) => block['type'] === 'tool_use')
    .map(({ id, name, input }) => ({
      id: String(id),
      name: String(name),
      input: isRecord(input) ? input : {},
      result: results.get(id),
    }));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .filter(isRecord)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
