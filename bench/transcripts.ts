import type { TranscriptEntry } from '../src/transcript/entry.ts';
import { seededRandom } from './seeded-random.ts';

/** What a generated session is like. */
export interface TranscriptPlan {
  readonly sessionId: string;
  readonly workspace: string;
  readonly rows: number;
  /** Mean size of a row as JSON. */
  readonly rowBytes: number;
  readonly seed: number;
}

const version = '2.1.332';
const words =
  'the file holds a list of names and one line for each result that was found in it'.split(' ');

/**
 * Rows of a session as Claude Code writes them: a prompt, then tool calls and their results in turn,
 * each result with its `toolUseResult`, and an answer at the end. The same plan gives the same rows.
 */
export function generateTranscript(plan: TranscriptPlan): TranscriptEntry[] {
  const random = seededRandom(plan.seed);
  const rows: TranscriptEntry[] = [];
  const add = (type: 'user' | 'assistant', fields: Record<string, unknown>): void => {
    const parentUuid = rows.at(-1)?.uuid ?? null;
    rows.push({ ...chainFields(plan, rows.length, random), parentUuid, type, ...fields });
  };
  add('user', { message: { role: 'user', content: 'Read all of it and say what is in it.' } });
  while (rows.length < plan.rows - 1) {
    // Calls are small and results large; the two halves of a pair share the mean size.
    const id = `toolu_${hexadecimal(random, 24)}`;
    add('assistant', assistantFields(callBlock(id, rows.length), random));
    if (rows.length >= plan.rows - 1) break;
    add('user', resultFields(id, resultText(plan.rowBytes, random)));
  }
  const last = rows.at(-1);
  if (last?.type === 'assistant') rows.pop();
  add('assistant', assistantFields({ type: 'text', text: 'That is all of it.' }, random));
  return rows;
}

function chainFields(
  plan: TranscriptPlan,
  index: number,
  random: () => number,
): Record<string, unknown> {
  return {
    isSidechain: false,
    userType: 'external',
    cwd: plan.workspace,
    sessionId: plan.sessionId,
    version,
    gitBranch: 'main',
    uuid: uuid(random),
    timestamp: new Date(1_780_000_000_000 + index * 1_000).toISOString(),
  };
}

function assistantFields(
  block: Record<string, unknown>,
  random: () => number,
): Record<string, unknown> {
  return {
    requestId: `req_${hexadecimal(random, 24)}`,
    message: {
      id: `msg_${hexadecimal(random, 24)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      stop_reason: block['type'] === 'tool_use' ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 12,
        output_tokens: 180,
        cache_read_input_tokens: 40_000,
        cache_creation_input_tokens: 900,
      },
    },
  };
}

function callBlock(id: string, index: number): Record<string, unknown> {
  return {
    type: 'tool_use',
    id,
    name: 'Read',
    input: { file_path: `/srv/data/part-${index}.txt` },
  };
}

function resultFields(id: string, text: string): Record<string, unknown> {
  return {
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    toolUseResult: { type: 'text', file: { filePath: `/srv/data/${id}.txt`, content: text } },
  };
}

/** A result stands twice in its row, and its pair has one small row. */
function resultText(rowBytes: number, random: () => number): string {
  const length = Math.max(40, rowBytes - 700) * (0.5 + random());
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = words[Math.floor(random() * words.length)] ?? 'line';
    const separator = random() < 0.08 ? '\n' : ' ';
    parts.push(word, separator);
    size += word.length + 1;
  }
  return parts.join('');
}

function uuid(random: () => number): string {
  const hex = (length: number): string => hexadecimal(random, length);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function hexadecimal(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}
