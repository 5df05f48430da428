const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in decimal units, with one decimal below ten: 4.2 MB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  const digits = power > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[power] ?? ''}`;
}
