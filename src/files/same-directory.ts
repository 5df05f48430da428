import { realpathSync, statSync } from 'node:fs';

/**
 * True when a path leads to this directory by whatever name: a symbolic link, another case, a second
 * mount. A path that leads nowhere is the same only when it is written the same.
 *
 * @param realPath - Real path of an existing directory.
 */
export function isSameDirectory(path: string, realPath: string): boolean {
  if (path === realPath) return true;
  try {
    return realpathSync.native(path) === realPath || isSameFile(path, realPath);
  } catch {
    return false;
  }
}

function isSameFile(left: string, right: string): boolean {
  const [a, b] = [left, right].map((path) => statSync(path, { bigint: true }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}
