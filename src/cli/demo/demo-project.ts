import { copyFile, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A new temporary project, with a home of its own. */
export interface DemoProject {
  /** Holds everything else; real path. */
  readonly folder: string;
  readonly workspace: string;
  readonly runDir: string;
  /**
   * The whole environment of the demo's commands. Nothing of this process's environment but `PATH`
   * is in it: no credential, no setting.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** The flow file, published beside the code. */
const flowSource = fileURLToPath(new URL('../../../examples/demo-flow.ts', import.meta.url));

/** What the commands of the project leave behind when they have really begun. */
export const traces = Object.freeze({ delivery: 'outbox.txt', server: 'server.pid' });

const files: Readonly<Record<string, string>> = {
  'README.md': [
    '# tally',
    '',
    '`sh tally.sh` prints how many words words.txt holds, and nothing else. It is half made.',
    '`sh deliver.sh` hands it over: never twice.',
    '',
  ].join('\n'),
  'words.txt': 'rose tulip lily\npeony iris\ndaisy\n',
  'tally.sh': '#!/bin/sh\n# half made: it has to count the words of words.txt\nexit 1\n',
  'deliver.sh': [
    '#!/bin/sh',
    '# One line into the outbox, then up to a minute for the receipt.',
    `echo 'tally.sh delivered' >> ${traces.delivery}`,
    'sleep 60',
    '',
  ].join('\n'),
  'server.mjs': [
    "import { writeFileSync } from 'node:fs';",
    "import { createServer } from 'node:http';",
    '',
    "const server = createServer((_request, response) => response.end('tally\\n'));",
    `server.listen(0, '127.0.0.1', () => writeFileSync('${traces.server}', String(process.pid)));`,
    '// Whatever goes wrong: it never stays for good.',
    'setTimeout(() => process.exit(), 90_000);',
    '',
  ].join('\n'),
};

/**
 * Makes the project in a new folder under the system's temporary one.
 *
 * @param options.apiEnv - Variables that lead to the scripted API.
 * @param options.path - `PATH` of this process.
 */
export async function createDemoProject(options: {
  readonly apiEnv: Readonly<Record<string, string>>;
  readonly path: string | undefined;
}): Promise<DemoProject> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flower-demo-')));
  const workspace = join(folder, 'project');
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const path of [workspace, home, temporary]) await mkdir(path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  await copyFile(flowSource, join(workspace, 'flow.ts'));
  return {
    folder,
    workspace,
    runDir: join(workspace, 'runs'),
    env: {
      // The server of the project runs on this Node, wherever it is installed.
      PATH: [dirname(process.execPath), options.path ?? '/usr/bin:/bin'].join(delimiter),
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      ...options.apiEnv,
    },
  };
}
