import type { Colors } from 'picocolors/types.js';
import { truncate } from './truncate.ts';
import { displayWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** How a line of the record looks; colour says who speaks or how it went. */
export type LineStyle =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'tool'
  | 'good'
  | 'bad'
  | 'warning'
  | 'alarm'
  | 'separator';

/** One entry of the record: safe text without colours. */
export interface RecordLine {
  readonly style: LineStyle;
  /** Stands before the first line; the following ones are indented by its width. */
  readonly mark: string;
  readonly text: string;
  /** Cut to one line instead of being wrapped. */
  readonly single?: boolean;
}

const separatorColumns = 80;

/** The lines of an entry as they are written, wrapped to `columns` and coloured. */
export function renderRecordLine(line: RecordLine, columns: number, colors: Colors): string[] {
  const paint = painters(colors)[line.style];
  return layOut(line, columns).map((row) => (row === '' ? row : paint(row)));
}

function layOut(line: RecordLine, columns: number): string[] {
  if (line.style === 'separator') return [separator(line, columns)];
  const indent = ' '.repeat(displayWidth(line.mark));
  const room = columns - indent.length;
  const rows =
    line.single === true
      ? [truncate(line.text.replace(/\s+/g, ' ').trim(), room)]
      : wrap(line.text.trimEnd(), room);
  return rows.map((row, index) => `${index === 0 ? line.mark : indent}${row}`.trimEnd());
}

/** A rule across the screen; in a file only the text with its marks. */
function separator(line: RecordLine, columns: number): string {
  const text = truncate(`${line.mark}${line.text} ==`, columns);
  if (!Number.isFinite(columns)) return text;
  return text + '='.repeat(Math.max(0, Math.min(columns, separatorColumns) - displayWidth(text)));
}

function painters(colors: Colors): Readonly<Record<LineStyle, (text: string) => string>> {
  return {
    plain: (text) => text,
    dim: colors.dim,
    strong: colors.bold,
    tool: colors.cyan,
    good: colors.green,
    bad: colors.red,
    warning: colors.yellow,
    alarm: (text) => colors.bold(colors.red(text)),
    separator: colors.bold,
  };
}
