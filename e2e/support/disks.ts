import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './host.ts';

/** A run directory whose disk can be full. */
export interface Disk {
  /** Command that starts a host for which the disk is full from the start. */
  readonly full: readonly string[];
  /** No byte more can be written to it. */
  fill(host?: Host): void;
  /** There is room again. */
  free(host?: Host): void;
  /** Takes it away, also from under a host that still runs. */
  remove(): void;
}

/** How a full disk is made. */
export type DiskKind = 'a small file system' | 'a limit of file sizes';

/**
 * What this machine can do: the limit always, a file system of its own where mounting is allowed.
 * Both refuse the write itself, in the middle of whatever SQLite does.
 */
export const diskKinds: readonly DiskKind[] = mayMount()
  ? ['a small file system', 'a limit of file sizes']
  : ['a limit of file sizes'];

/** Makes `runDir` a place whose disk can be full. */
export function makeDisk(kind: DiskKind, runDir: string): Disk {
  return kind === 'a small file system' ? smallFileSystem(runDir) : fileSizeLimit();
}

function smallFileSystem(runDir: string): Disk {
  const filler = join(runDir, 'filler');
  mkdirSync(runDir);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', runDir]);
  return {
    full: [],
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', ['--lazy', runDir]),
  };
}

/** Only the host is limited, not its agent: that has its files on another disk, so to say. */
function fileSizeLimit(): Disk {
  const limit = (host: Host | undefined, size: string): void => {
    if (host === undefined) return;
    execFileSync('prlimit', ['--pid', String(host.pid), `--fsize=${size}:`]);
  };
  return {
    // Not even the loader of the sources may keep its cache then.
    full: ['env', 'JITI_FS_CACHE=false', 'prlimit', '--fsize=0:'],
    fill: (host) => limit(host, '0'),
    free: (host) => limit(host, 'unlimited'),
    remove: () => undefined,
  };
}

function writeUntilFull(path: string): void {
  const descriptor = openSync(path, 'w');
  try {
    for (const size of [64 * 1024, 1024, 1]) writeAll(descriptor, Buffer.alloc(size));
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, piece: Buffer): void {
  try {
    for (;;) if (writeSync(descriptor, piece) < piece.length) return;
  } catch {
    // Full.
  }
}

function mayMount(): boolean {
  const probe = ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', '/mnt'];
  if (process.getuid?.() !== 0 || spawnSync('mount', probe).status !== 0) return false;
  return spawnSync('umount', ['/mnt']).status === 0;
}
