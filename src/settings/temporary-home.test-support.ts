import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A directory of a test's own that stands in for home and current directory. */
export interface TemporaryHome {
  readonly home: string;
  readonly cwd: string;
  /** Writes a file, with its folders; returns its path. */
  readonly write: (path: string, text: string) => string;
  readonly remove: () => void;
}

/** Makes an empty home under the system's temporary directory; the caller removes it. */
export function temporaryHome(): TemporaryHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'flower-settings-')));
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  return {
    home: root,
    cwd,
    write: (path, text) => {
      const full = join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
