import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { ArchiveFault } from '../../errors/error-messages.ts';
import { FlowerError } from '../../errors/flower-error.ts';
import { errorCode } from '../../files/error-code.ts';
import {
  archiveFormat,
  type ArchiveHeader,
  archiveHeader,
  type ArchiveLine,
  archiveLine,
  archiveVersion,
} from './archive-line.ts';

/**
 * Reads an exported run, line by line, the first one first.
 *
 * @throws FlowerError `archive-invalid`, at the line that it is found at.
 */
export async function* archiveLines(
  path: string,
): AsyncGenerator<ArchiveHeader | ArchiveLine, void, undefined> {
  const counts = { rows: 0, files: 0 };
  let isFirst = true;
  let isEnded = false;
  for await (const text of textLines(path)) {
    if (isFirst) {
      isFirst = false;
      yield readHeader(text, path);
      continue;
    }
    const line = archiveLine.safeParse(parsed(text)).data;
    if (line === undefined || isEnded) throw invalid(path, 'content');
    if (line.kind === 'row') counts.rows += 1;
    if (line.kind === 'file') counts.files += 1;
    if (line.kind === 'end') {
      if (line.rows !== counts.rows || line.files !== counts.files) throw invalid(path, 'content');
      isEnded = true;
    }
    yield line;
  }
  if (!isEnded) throw invalid(path, isFirst ? 'foreign' : 'cut');
}

function readHeader(text: string, path: string): ArchiveHeader {
  const value = parsed(text);
  const header = archiveHeader.safeParse(value).data;
  if (header !== undefined && header.version <= archiveVersion) return header;
  const isNewer = text.startsWith(`{"format":"${archiveFormat}"`);
  throw invalid(path, isNewer ? 'newer' : 'foreign');
}

async function* textLines(path: string): AsyncGenerator<string, void, undefined> {
  const source = createReadStream(path);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  try {
    for await (const chunk of source.pipe(unpacked)) {
      const [first = '', ...others] = decoder.write(chunk as Buffer).split('\n');
      parts.push(first);
      for (const next of others) {
        yield parts.join('');
        parts = [next];
      }
    }
  } catch (error) {
    throw FlowerError.is(error) ? error : invalid(path, faultOf(error), error);
  } finally {
    source.destroy();
  }
  if (parts.some((part) => part !== '')) throw invalid(path, 'cut');
}

function faultOf(error: unknown): ArchiveFault {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return 'cut';
  if (code.startsWith('Z_')) return 'foreign';
  return 'missing';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(path: string, reason: ArchiveFault, cause?: unknown): FlowerError {
  return new FlowerError('archive-invalid', { path, reason }, { cause });
}
