const summaryLimit = 200;
const summaryKeys = [
  'file_path',
  'notebook_path',
  'command',
  'pattern',
  'url',
  'query',
  'description',
];

/** Cuts a text to `limit` UTF-16 units, never inside a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return text.slice(0, end);
}

/** The one argument of a tool call that a person wants to see, at most 200 characters. */
export function toolSummary(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const values = new Map(Object.entries(input));
  for (const key of summaryKeys) {
    const value = values.get(key);
    if (typeof value === 'string' && value !== '') return clip(value, summaryLimit);
  }
  const first = [...values.values()].find((value) => typeof value === 'string');
  return typeof first === 'string' ? clip(first, summaryLimit) : '';
}

/** The text of a tool result, whatever form its content has. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap(blockText).join('\n');
}

function blockText(block: unknown): string[] {
  if (typeof block !== 'object' || block === null || !('type' in block)) return [];
  if (block.type === 'text' && 'text' in block && typeof block.text === 'string') {
    return [block.text];
  }
  return [`[${String(block.type)}]`];
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
