import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isStopped, processStart } from '../claude/process-tree.ts';
import { projectKeyOf } from '../claude/project-key.ts';
import { Leases } from '../continuity/leases.ts';
import { Lineage } from '../continuity/lineage.ts';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { realDirectory } from '../files/real-directory.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import { writableRunDir } from './writable-run-dir.ts';

/** Where {@link RunDirectory.open} works. */
export interface RunDirectoryOptions {
  readonly workspace: string;
  /** Resolved against the current directory. @defaultValue `'runs'` */
  readonly runDir?: string;
}

/**
 * A run directory opened for work on its records alone: no agent, no credentials, no watcher.
 *
 * Whatever is written is fenced by leases like that of a run.
 */
export class RunDirectory {
  /** Real path. */
  readonly workspace: string;
  readonly runDir: string;
  readonly projectKey: string;
  readonly database: RunDatabase;
  readonly store: SessionStore;
  readonly leases: Leases;
  /** Where a damaged database was moved to at the opening; `null` when it was sound. */
  readonly setAside: string | null;

  private constructor(workspace: string, runDir: string) {
    this.workspace = workspace;
    this.runDir = runDir;
    this.projectKey = projectKeyOf(workspace);
    let setAside: string | null = null;
    this.database = openRunDatabase(join(runDir, 'sessions.db'), {
      onSetAside: (path) => {
        setAside = path;
      },
    });
    this.setAside = setAside;
    this.store = new SqliteSessionStore(this.database);
    const now = (): Date => new Date();
    this.leases = new Leases({
      database: this.database,
      runDir,
      run: `${fileStamp(now())}-${randomBytes(3).toString('hex')}`,
      host: { pid: process.pid, start: processStart(process.pid) ?? '' },
      now,
      isStopped,
      // The next write is refused, and says so.
      onLost: () => undefined,
    });
  }

  /**
   * Opens it, making what is missing.
   *
   * @throws FlowerError `workspace-missing`, `run-dir-unwritable`, `database-newer`
   */
  static open({ workspace, runDir = 'runs' }: RunDirectoryOptions): RunDirectory {
    return new RunDirectory(realDirectory(workspace), writableRunDir(runDir));
  }

  /** Opens the lineage; a failed write of `lineage.json` is thrown by `flush`. */
  lineage(): { readonly lineage: Lineage; readonly flush: () => void } {
    let failure: unknown;
    const lineage = Lineage.open({
      database: this.database,
      path: join(this.runDir, 'lineage.json'),
      workspace: this.workspace,
      onWriteFailure: (error) => {
        failure = error;
      },
    });
    const flush = (): void => {
      lineage.flush();
      if (failure !== undefined) throw failure;
    };
    return { lineage, flush };
  }

  /** Gives the leases back and closes the database. */
  close(): void {
    this.leases.close();
    this.store.close();
    this.database.close();
  }
}
