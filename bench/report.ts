/** One line of the table. */
export interface Row {
  /** Which measurement it belongs to. */
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'us' | 'x' | '%' | 'MB';
  /** What it is to be compared with, from the same run. */
  readonly reference?: { readonly name: string; readonly value: number };
  /** Upper bound that the project aims at; in the unit of `value`. */
  readonly goal?: number;
  /** Spread of the single values (interquartile range), in the unit of `value`. */
  readonly spread?: number;
  readonly samples: number;
}

/** What a run of the benchmarks says. */
export interface Report {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly rows: readonly Row[];
}

const headings = ['what', 'value', 'reference', 'ratio', 'goal', 'spread', 'n'] as const;

/** The report as one table for a terminal. */
export function printReport({ machine, rows }: Report): string {
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const cells = rows.map(cellsOf);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column === 0 || column === 2))
      .join('  ')
      .trimEnd();
  const lines: string[] = [facts.join(' · '), '', line(headings)];
  for (const [index, row] of rows.entries()) {
    if (row.group !== rows[index - 1]?.group) lines.push(`-- ${row.group}`);
    lines.push(line(cells[index] ?? []));
  }
  return lines.join('\n');
}

function cellsOf(row: Row): string[] {
  const { reference, goal, unit } = row;
  return [
    row.name,
    withUnit(row.value, unit),
    reference === undefined ? '' : `${withUnit(reference.value, unit)} ${reference.name}`,
    reference === undefined ? '' : `${digits(row.value / reference.value)}x`,
    goal === undefined ? '' : `${row.value <= goal ? 'met' : 'not met'} (${withUnit(goal, unit)})`,
    row.spread === undefined ? '' : withUnit(row.spread, unit),
    String(row.samples),
  ];
}

function withUnit(value: number, unit: Row['unit']): string {
  return unit === 'x' || unit === '%' ? `${digits(value)}${unit}` : `${digits(value)} ${unit}`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}

function pad(cell: string, width: number, isLeft: boolean): string {
  return isLeft ? cell.padEnd(width) : cell.padStart(width);
}
