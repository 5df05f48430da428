/** Blocks this thread, for the short waits of synchronous code on another process's lock. */
export function waitSync(delayMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
}
