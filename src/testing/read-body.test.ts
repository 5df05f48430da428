import { createServer } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { parseBody, readBody } from './read-body.ts';

const servers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of servers.splice(0)) await close();
});

/** What `readBody` gives for a body that is posted to a real server. */
async function received(body: string, limitBytes: number): Promise<string | undefined> {
  let text: string | undefined;
  const server = createServer((request, response) => {
    void readBody(request, limitBytes).then((read) => {
      text = read;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
  return text;
}

describe('readBody', () => {
  it('reads characters that span chunks', async () => {
    const body = '花'.repeat(100_000);
    expect(await received(body, 1_000_000)).toBe(body);
  });

  it('gives nothing for a body over the limit', async () => {
    expect(await received('12345678', 7)).toBeUndefined();
    expect(await received('1234567', 7)).toBe('1234567');
  });
});

describe('parseBody', () => {
  it.each([
    ['', undefined],
    ['{"a":1}', { a: 1 }],
    ['{"a":', '{"a":'],
    ['null', null],
  ])('%j becomes %j', (text, body) => {
    expect(parseBody(text)).toEqual(body);
  });
});
