/** Named gates: closed until released, open for good afterwards. */
export class Gates {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #onWait: () => void;

  /** @param onWait - Called whenever somebody begins to wait; must not throw. */
  constructor(onWait: () => void) {
    this.#onWait = onWait;
  }

  /** True while a reply waits at the gate. */
  isWaiting(name: string): boolean {
    return (this.#waiting.get(name)?.size ?? 0) > 0;
  }

  /** Opens the gate for all who wait there and all who come later. */
  release(name: string): void {
    this.#open.add(name);
    const waiting = [...(this.#waiting.get(name) ?? [])];
    for (const goOn of waiting) goOn();
  }

  /** Resolves when the gate is open or the signal aborts; it never rejects. */
  wait(name: string, signal: AbortSignal): Promise<void> {
    if (this.#open.has(name) || signal.aborted) return Promise.resolve();
    const atGate = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, atGate);
    return new Promise((resolve) => {
      const goOn = (): void => {
        atGate.delete(goOn);
        signal.removeEventListener('abort', goOn);
        resolve();
      };
      atGate.add(goOn);
      signal.addEventListener('abort', goOn);
      this.#onWait();
    });
  }
}
