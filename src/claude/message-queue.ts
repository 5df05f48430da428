/**
 * Joins several producers to one consumer, in order; unbounded.
 *
 * One consumer only. After `close()` the rest is still delivered, then the iteration ends.
 */
export class MessageQueue<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        yield item;
        continue;
      }
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
