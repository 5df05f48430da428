import type { Writable } from 'node:stream';

/**
 * Keeps a closed reader (`| head`) from ending the process: the run goes on, its output is lost.
 */
export function ignoreClosedPipe(stream: Writable): void {
  stream.on('error', () => undefined);
}

/** Resolves when everything that was written has left the process, or cannot any more. */
export function flush(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writable) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.write('', () => resolve());
  });
}
