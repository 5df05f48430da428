import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes nonsense over a part of a file, in place, as a failing disk or a wild program does. */
export function overwrite(path: string, from: number, length: number): void {
  const descriptor = openSync(path, 'r+');
  try {
    writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, from);
  } finally {
    closeSync(descriptor);
  }
}
