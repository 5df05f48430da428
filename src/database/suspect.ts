import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Notes beside a database that it was found damaged while it was open: the next opening looks
 * through the whole of it, however big it is. Never throws.
 */
export function markSuspect(path: string): void {
  try {
    writeFileSync(suspectPath(path), '', { mode: 0o600 });
  } catch {
    // A small database is looked through at every opening anyway.
  }
}

/** True when the database was found damaged while it was open. */
export function isSuspect(path: string): boolean {
  return existsSync(suspectPath(path));
}

/** Takes the note away. */
export function clearSuspect(path: string): void {
  rmSync(suspectPath(path), { force: true });
}

function suspectPath(path: string): string {
  return `${path}.suspect`;
}
