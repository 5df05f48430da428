import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with a temporary folder that is gone afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flower-bench-')));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
