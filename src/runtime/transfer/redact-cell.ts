import type { CellValue } from '../../database/table-rows.ts';
import { redactSecrets } from '../../settings/redact.ts';

/** A function that replaces secrets in a text; without secrets it changes nothing. */
export function redactTextWith(secrets: readonly string[] | undefined): (text: string) => string {
  return secrets === undefined ? (text) => text : (text) => redactSecrets(text, secrets);
}

/**
 * A value of the database without secrets.
 *
 * JSON is taken apart, so that a secret is found however it is escaped; what holds none stays as it
 * was written, byte by byte.
 *
 * @param secrets - `undefined` keeps everything.
 */
export function redactCell(cell: CellValue, secrets: readonly string[] | undefined): CellValue {
  if (typeof cell !== 'string' || secrets === undefined) return cell;
  const value = parsed(cell);
  if (value === undefined) return redactSecrets(cell, secrets);
  const clean = JSON.stringify(redactSecrets(value, secrets));
  return clean === JSON.stringify(value) ? cell : clean;
}

function parsed(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
