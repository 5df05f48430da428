import { describe, expect, it } from 'vitest';
import { MessageQueue } from './message-queue.ts';
import { PromptInput } from './prompt-input.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('MessageQueue', () => {
  it('delivers what was there, then what comes, then ends', async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    const collected = collect(queue);
    queue.push(2);
    await Promise.resolve();
    queue.push(3);
    queue.close();
    expect(await collected).toEqual([1, 2, 3]);
  });

  it('ends at once when it was closed empty', async () => {
    const queue = new MessageQueue<number>();
    queue.close();
    expect(await collect(queue)).toEqual([]);
  });

  it('takes nothing after the close', async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    queue.close();
    queue.push(2);
    expect(await collect(queue)).toEqual([1]);
  });

  it('wakes a waiting consumer at the close', async () => {
    const queue = new MessageQueue<number>();
    const collected = collect(queue);
    await Promise.resolve();
    queue.close();
    expect(await collected).toEqual([]);
  });
});

describe('PromptInput', () => {
  it.each([
    ['Do it.', undefined],
    ['/compact this is no command', true],
    ['  /clear', true],
  ])('%j is sent as a message that was composed by code: %s', async (text, isComposed) => {
    const input = new PromptInput();
    input.say(text);
    input.close();
    const [message] = await collect(input.messages());
    expect(message).toMatchObject({ type: 'user', message: { role: 'user', content: text } });
    expect(message && 'client_composed' in message ? message.client_composed : undefined).toBe(
      isComposed,
    );
  });
});
