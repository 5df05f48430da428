import { describe, expect, it } from 'vitest';
import { parseTranscript } from './parse-lines.ts';

const first = '{"parentUuid":null,"type":"user","uuid":"a","message":{"content":"{\\"x\\": }"}}';
const second = '{"parentUuid":"a","type":"assistant","uuid":"b","message":{"content":[]}}';
const title = '{"type":"ai-title","aiTitle":"t"}';

describe('parseTranscript', () => {
  it.each<[string, string, readonly (string | undefined)[], number]>([
    ['an empty file', '', [], 0],
    ['whole lines', `${first}\n${second}\n`, ['a', 'b'], 0],
    ['a missing last newline', `${first}\n${second}`, ['a', 'b'], 0],
    ['a truncated last line', `${first}\n${second.slice(0, 30)}`, ['a'], 1],
    ['two records glued together', `${first}${second}\n`, ['a', 'b'], 0],
    ['glued records with space between', `${first} \t${second}\n`, ['a', 'b'], 0],
    ['a metadata row glued in front', `${title}${first}\n${second}`, [undefined, 'a', 'b'], 0],
    ['a record glued to a truncated one', `${first.slice(0, 50)}${second}\n`, ['b'], 1],
    ['a record glued to one cut in a string', `${first.slice(0, 60)}${second}`, ['b'], 1],
    ['three pieces, the middle one cut', `${first}${first.slice(0, 40)}${second}`, ['a', 'b'], 1],
    ['garbage in front of a record', `xx}}${first}\n${second}`, ['a', 'b'], 1],
    ['NULs around a record', `\0\0${first}\0\0\n${second}`, ['a', 'b'], 0],
    ['NULs inside a record', `${first.slice(0, 20)}\0\0${first.slice(20)}\n`, ['a'], 0],
    ['a run of NULs as a line', `${first}\n\0\0\0\n${second}`, ['a', 'b'], 1],
    ['a byte order mark, CRLF and blanks', `\uFEFF${first}\r\n \r\n${second}\r\n`, ['a', 'b'], 0],
    ['JSON that is no row', `42\nnull\n[]\n"s"\n{"foo":1}\n${first}`, ['a'], 0],
  ])('reads %s', (_name, source, uuids, damaged) => {
    for (const form of [source, new TextEncoder().encode(source)]) {
      const parsed = parseTranscript(form);
      expect(parsed.entries.map((row) => row.uuid)).toEqual(uuids);
      expect(parsed.damaged).toBe(damaged);
    }
  });

  it('keeps every field of a row', () => {
    expect(parseTranscript(first).entries).toEqual([JSON.parse(first)]);
  });

  it('reads a long damaged line in a moment', () => {
    const glued = `${first.slice(0, 50)}${second}`.repeat(2_000);
    const parsed = parseTranscript(glued);
    expect(parsed.entries).toHaveLength(2_000);
    expect(parsed.damaged).toBe(2_000);
  });
});
