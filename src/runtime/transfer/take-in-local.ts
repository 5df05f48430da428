import { existsSync } from 'node:fs';
import { SessionFiles } from '../../claude/session-files.ts';
import { RunDirectory } from '../run-directory.ts';

/**
 * Takes into the database what only Claude Code's own files hold of the steps' sessions: a run that
 * was killed may have left rows there. Sessions that a living process writes are left to it.
 */
export async function takeInLocalRows(
  workspace: string,
  runDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (!existsSync(workspace)) return;
  const directory = RunDirectory.open({ workspace, runDir });
  try {
    const files = new SessionFiles({ store: directory.store, workspace: directory.workspace, env });
    for (const sessionId of new Set(Object.values(directory.lineage().lineage.steps))) {
      const lease = directory.leases.acquire(`session ${sessionId}`);
      if ('holder' in lease) continue;
      await files.takeIn(sessionId);
      lease.release();
    }
  } finally {
    directory.close();
  }
}
