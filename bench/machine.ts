import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, percentile } from './statistics.ts';

/** Says what the numbers were taken on, and how restless it was. */
export function describeMachine(): Record<string, string | number> {
  const syncs = syncTimesMs();
  const spins = spinTimesMs();
  return {
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    cores: availableParallelism(),
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
    'fsync-p50-ms': round(median(syncs)),
    'fsync-p99-ms': round(percentile(syncs, 99)),
    // The same sum each time: what is above 1 was taken by others.
    'cpu-p99-to-p50': round(percentile(spins, 99) / median(spins)),
  };
}

function syncTimesMs(): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'flower-bench-'));
  const descriptor = openSync(join(folder, 'file'), 'w');
  try {
    return Array.from({ length: 100 }, () => {
      const startMs = performance.now();
      writeSync(descriptor, 'one row of a log that has to be on disk\n');
      fsyncSync(descriptor);
      return performance.now() - startMs;
    });
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}

function spinTimesMs(): number[] {
  return Array.from({ length: 100 }, () => {
    const startMs = performance.now();
    let sum = 0;
    for (let index = 0; index < 1_000_000; index += 1) sum = (sum + index * 31) % 1_000_003;
    return sum < 0 ? 0 : performance.now() - startMs;
  }).slice(10);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
