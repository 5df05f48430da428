const LABELLED = /(?:status|code|error|http)["']?\s*[:=]?\s*["']?([45]\d\d)(?![\w-])/i;

/** A bare three-digit number is a status unless what stands around it makes it a quantity. */
const BARE = new RegExp(
  String.raw`(?<![\w.:/$,#-])` +
    String.raw`(?<!\b(?:line|column|char|port|pid|attempt|after|in|of|turn|session|exit code|code)\s)` +
    String.raw`([45]\d\d)` +
    String.raw`(?![\w-])(?![.,:]\d)` +
    String.raw`(?!\s*(?:ms|milliseconds?|s|secs?|seconds?|min|minutes?|hours?|[kmg]i?b|bytes?|` +
    String.raw`tokens?|characters?|times|lines?|attempts?|turns?|requests?|files?|images?|%)(?!\w))`,
  'i',
);

/**
 * Finds the HTTP error status (400 to 599) that a failure text names.
 *
 * Numbers inside words, ids, ports, amounts and durations do not count.
 *
 * @returns The first status in the text, or `null`.
 */
export function httpStatusIn(text: string): number | null {
  const matches = [LABELLED.exec(text), BARE.exec(text)].filter((match) => match !== null);
  const first = matches.sort((left, right) => left.index - right.index)[0];
  return first?.[1] === undefined ? null : Number(first[1]);
}
