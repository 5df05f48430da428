/** Middle value; `NaN` without values. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value that `percent` of all values do not exceed (nearest rank); `NaN` without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}

/** Half of the values lie in a band of this width: how noisy they are. */
export function spread(values: readonly number[]): number {
  return percentile(values, 75) - percentile(values, 25);
}

/** Arithmetic mean; `NaN` without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Differences of values that were measured side by side. */
export function differences(left: readonly number[], right: readonly number[]): number[] {
  return left.map((value, index) => value - (right[index] ?? Number.NaN));
}
