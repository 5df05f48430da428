import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FlowerError } from '../../errors/flower-error.ts';
import { ensurePrivateDirectory } from '../../files/private-directory.ts';
import { setAside } from '../../files/set-aside.ts';
import { syncDirectory } from '../../files/sync-directory.ts';
import type { FileRoot } from './archive-line.ts';

const prefix = '.flower-import-';
const runFolders = /^(?:adopted|archive)\//;

/** Where the files of each root go. */
export type FileTargets = Readonly<Record<FileRoot, string>>;

/**
 * Files of an exported run, unpacked beside their places until the whole of it is there.
 *
 * Nothing is written outside of the targets, whatever the paths say.
 */
export class StagedFiles {
  readonly #targets: FileTargets;
  readonly #folders: FileTargets;
  readonly #moves: { readonly from: string; readonly root: FileRoot; readonly path: string }[] = [];

  /** Also removes what an import that was killed left behind. */
  constructor(targets: FileTargets) {
    this.#targets = targets;
    const name = `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`;
    const folderIn = (place: string): string => {
      removeLeftovers(place);
      return join(place, name);
    };
    // On the file system of the target, and where its owner may write.
    this.#folders = {
      workbench: folderIn(dirname(targets.workbench)),
      run: folderIn(targets.run),
    };
  }

  /** Begins a file; `false` when its path is none that an export writes. */
  begin(root: FileRoot, path: string, isExecutable: boolean): boolean {
    if (!isSafe(path) || (root === 'run' && !runFolders.test(path))) return false;
    const from = join(this.#folders[root], path);
    mkdirSync(dirname(from), { recursive: true, mode: 0o700 });
    writeFileSync(from, '', { flag: 'wx', mode: isExecutable ? 0o700 : 0o600 });
    this.#moves.push({ from, root, path });
    return true;
  }

  /** Adds bytes to the file that was begun last; `false` when there is none. */
  append(bytes: Uint8Array): boolean {
    const last = this.#moves.at(-1);
    if (last === undefined) return false;
    appendFileSync(last.from, bytes);
    return true;
  }

  get count(): number {
    return this.#moves.length;
  }

  /**
   * Moves everything to its place; a file that stands there with another content is set aside.
   *
   * @throws FlowerError `run-dir-unwritable` when a link stands in the way; nothing is moved then.
   */
  move(): void {
    for (const { root, path } of this.#moves) assertNotLinked(this.#targets[root], path);
    for (const { from, root, path } of this.#moves) {
      const target = this.#targets[root];
      ensurePrivateDirectory(target);
      const to = join(target, path);
      if (existsSync(to) && !readFileSync(to).equals(readFileSync(from))) {
        setAside(to, 'before-import');
      }
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      const isExecutable = (lstatSync(from).mode & 0o100) !== 0;
      renameSync(from, to);
      // The workbench is for the person too, like any folder of the project.
      if (root === 'workbench') chmodSync(to, isExecutable ? 0o755 : 0o644);
      syncDirectory(dirname(to));
    }
  }

  /** Removes the folders beside the targets. */
  discard(): void {
    for (const folder of Object.values(this.#folders)) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function isSafe(path: string): boolean {
  const parts = path.split('/');
  return parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part),
  );
}

/** A link could lead out of the target. */
function assertNotLinked(target: string, path: string): void {
  const parts = path.split('/');
  const places = parts.map((_, index) => join(target, ...parts.slice(0, index + 1)));
  const link = [target, ...places].find(
    (place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  );
  if (link === undefined) return;
  throw new FlowerError('run-dir-unwritable', { path: target, detail: `symbolic link ${link}` });
}

function removeLeftovers(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = new RegExp(`^${prefix.replace('.', '\\.')}(\\d+)-[0-9a-f]{8}$`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
