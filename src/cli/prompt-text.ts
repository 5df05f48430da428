import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FlowerError } from '../errors/flower-error.ts';
import type { CommandContext } from './command-context.ts';

/**
 * The prompt of an argument: `-` reads standard input, `@file` a file, anything else is the text.
 *
 * @throws FlowerError `usage` when the file cannot be read or there is no text.
 */
export async function promptText(argument: string, context: CommandContext): Promise<string> {
  const text = (await readPrompt(argument, context)).trim();
  if (text === '') throw usage(context.texts.usage.emptyPrompt());
  return text;
}

async function readPrompt(argument: string, context: CommandContext): Promise<string> {
  if (argument === '-') return readAll(context.host.stdin);
  if (!argument.startsWith('@')) return argument;
  const path = resolve(context.host.directory, argument.slice(1));
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(context.texts.usage.unreadableFile(path, reason));
  }
}

async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function usage(detail: string): FlowerError<'usage'> {
  return new FlowerError('usage', { detail });
}
