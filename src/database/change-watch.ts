import type { RunDatabase } from './run-database.ts';

const defaultIntervalMs = 200;

/**
 * Tells when another process has written to the database.
 *
 * `onChange` must not throw. The timer never keeps the process alive; call the returned function to
 * end the watch.
 *
 * @param intervalMs - How often is looked, in milliseconds; a look costs some microseconds.
 */
export function watchChanges(
  { connection }: Pick<RunDatabase, 'connection'>,
  onChange: () => void,
  intervalMs: number = defaultIntervalMs,
): () => void {
  // Changes with the commits of others only, not with those of this connection.
  const version = (): unknown => connection.pragma('data_version', { simple: true });
  let seen = version();
  const timer = setInterval(() => {
    if (!connection.open) return clearInterval(timer);
    const now = version();
    if (now === seen) return;
    seen = now;
    onChange();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
