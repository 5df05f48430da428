import { resolve } from 'node:path';
import { projectKeyOf } from '../../claude/project-key.ts';
import { realDirectory } from '../../files/real-directory.ts';

/** Sessions that nothing refers to for this long are called old. */
export const defaultOldMs = 30 * 24 * 60 * 60_000;

/** Where the doctor looks. */
export interface DoctorOptions {
  readonly workspace: string;
  /** Resolved against the current directory. @defaultValue `'runs'` */
  readonly runDir?: string;
  /** Tells where Claude Code keeps its files. @defaultValue the process's environment */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: Date;
}

/** The same, with all that was left out. */
export interface DoctorPlace {
  /** Real path. */
  readonly workspace: string;
  readonly projectKey: string;
  /** Absolute path. */
  readonly runDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

/** @throws FlowerError `workspace-missing` */
export function doctorPlace(options: DoctorOptions): DoctorPlace {
  const workspace = realDirectory(options.workspace);
  return {
    workspace,
    projectKey: projectKeyOf(workspace),
    runDir: resolve(options.runDir ?? 'runs'),
    env: options.env ?? process.env,
    now: options.now ?? new Date(),
  };
}
