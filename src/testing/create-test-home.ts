import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { ScriptedApi } from './scripted-api.ts';

/** How to create a {@link TestHome}. */
export interface TestHomeOptions {
  /** Its variables become part of `env`. */
  readonly api?: Pick<ScriptedApi, 'env'>;
  /** Files of the workspace: relative path to text. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Folders of its own for one run of Claude Code, so that it sees and touches nothing else. */
export interface TestHome extends AsyncDisposable {
  /** The temporary folder that holds all the others; real path, without symbolic links. */
  readonly path: string;
  /** For `HOME`. */
  readonly home: string;
  /** For `CLAUDE_CONFIG_DIR`. */
  readonly configDir: string;
  /** For `TMPDIR` of the child. */
  readonly temporary: string;
  /** An empty folder (besides `files`) to work in. */
  readonly workspace: string;
  /**
   * A whole environment for a child process, not an addition to this process's: `PATH`, `HOME`,
   * `TMPDIR`, `LANG`, `XDG_CONFIG_HOME`, `CLAUDE_CONFIG_DIR` and those of the API. No credential of
   * the machine is in it.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Removes everything; may be called twice. Children must have ended before. */
  dispose(): Promise<void>;
}

/**
 * Creates a {@link TestHome} under `os.tmpdir()`.
 *
 * @example
 * ```ts
 * await using home = await createTestHome({ api, files: { 'notes.txt': 'alpha' } });
 * ```
 */
export async function createTestHome(options: TestHomeOptions = {}): Promise<TestHome> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'flower-test-')));
  const home = join(path, 'home');
  const configDir = join(home, '.claude');
  const configHome = join(home, '.config');
  const temporary = join(path, 'tmp');
  const workspace = join(path, 'workspace');
  for (const folder of [configDir, configHome, temporary, workspace]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFiles(workspace, options.files ?? {});
  const dispose = (): Promise<void> =>
    rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return {
    path,
    home,
    configDir,
    temporary,
    workspace,
    env: {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      XDG_CONFIG_HOME: configHome,
      CLAUDE_CONFIG_DIR: configDir,
      ...options.api?.env(),
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
