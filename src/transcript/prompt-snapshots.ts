import type { TranscriptEntry } from './entry.ts';
import { dropRows } from './relink.ts';
import type { Cleaning, DropReason } from './report.ts';
import { isObject, stringOf } from './row.ts';

/**
 * Takes out what pins the system prompt of another role.
 *
 * The CLI goes on with the pinned prompt whatever it is told, so a role whose text changed, or another
 * role in the same session, would never be heard. Rows that pin these very instructions stay: the
 * prompt is then the same to the byte. Without instructions all stay, for nothing tells the CLI's own
 * text from that of a role.
 *
 * @param entries - Shaped rows.
 * @param instructions - Text that the role appends to the CLI's own prompt.
 */
export function withoutForeignPrompts(
  entries: readonly TranscriptEntry[],
  instructions: string,
): Cleaning {
  const drops = foreignSnapshots(entries, instructions);
  return drops.size === 0 ? { entries, dropped: [], repaired: [] } : dropRows(entries, drops);
}

function foreignSnapshots(
  entries: readonly TranscriptEntry[],
  instructions: string,
): Map<string, DropReason> {
  const wanted = instructions.trim();
  const drops = new Map<string, DropReason>();
  if (wanted === '') return drops;
  for (const row of entries) {
    const uuid = stringOf(row.uuid);
    const parts = pinnedPrompt(row);
    if (uuid === undefined || parts === undefined) continue;
    if (!parts.some((part) => typeof part === 'string' && part.trim() === wanted)) {
      drops.set(uuid, 'prompt-snapshot');
    }
  }
  return drops;
}

function pinnedPrompt(row: TranscriptEntry): readonly unknown[] | undefined {
  const note = row.type === 'attachment' ? row.attachment : undefined;
  if (!isObject(note) || note.type !== 'prompt_snapshot') return undefined;
  return Array.isArray(note.systemPrompt) ? note.systemPrompt : undefined;
}
