/**
 * Parses the text of a `.env` file: one `NAME=value` a line.
 *
 * Blank lines, lines that begin with `#` and lines without `=` are skipped; both sides are trimmed
 * and quotes at either end of the value are dropped. No `export`, inline comment, interpolation or
 * value over several lines. A name given twice keeps its last value; an empty value is a value.
 */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const entry = parseLine(line.trim());
    if (entry !== null) values.set(...entry);
  }
  return values;
}

function parseLine(line: string): [string, string] | null {
  const at = line.indexOf('=');
  if (line.startsWith('#') || at < 0) return null;
  const name = line.slice(0, at).trim();
  return name === '' ? null : [name, withoutQuotes(line.slice(at + 1).trim())];
}

function withoutQuotes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isQuote(text[start])) start += 1;
  while (end > start && isQuote(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}
