import type { IncomingMessage } from 'node:http';

/** Largest request body that is read: 64 MiB. */
export const maxBodyBytes = 64 * 1024 * 1024;

/**
 * Reads a whole request body as text.
 *
 * @returns `undefined` when it is larger than `limitBytes`. It is read to its end all the same, and
 * thrown away, because a client that is still sending would not see the answer.
 * @throws what the connection throws when it breaks before the end.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number = maxBodyBytes,
): Promise<string | undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > limitBytes) chunks = [];
    else chunks.push(chunk);
  }
  return size > limitBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Parses JSON; what is not JSON stays text, and nothing stays `undefined`. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return text;
  }
}
