import { FlowerError } from '../errors/flower-error.ts';

/** Before it, two processes that write and checkpoint one WAL file can corrupt it. */
const minimum = [3, 51, 3] as const;

/**
 * Refuses a SQLite library that can corrupt a file which several processes write.
 *
 * @param version - As `sqlite_version()` gives it.
 * @throws FlowerError `option-invalid`
 */
export function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of minimum.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) refuse(version);
  }
}

function refuse(version: string): never {
  throw new FlowerError('option-invalid', {
    option: 'The SQLite library inside better-sqlite3',
    value: version,
    expected: `${minimum.join('.')} or newer (install the dependencies again)`,
  });
}
