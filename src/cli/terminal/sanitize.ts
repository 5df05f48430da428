/**
 * Escape sequences, whole: string commands (OSC, DCS, SOS, PM, APC) with their body, CSI with its
 * parameters, and the two- and three-character escapes; each in its 7-bit and 8-bit form.
 *
 * A string command without an end is taken up to the end of its line: what follows is plain text
 * once the introducer is gone. No alternative can run past another introducer, so time stays linear.
 */
const stringBody = '[^\\u0007\\u0018\\u001a\\u001b\\u0080-\\u009f]*';
const stringEnd = '(?:\\u0007|\\u001b\\\\|\\u009c)';
const unendedBody = '[^\\n\\u0007\\u0018\\u001a\\u001b\\u0080-\\u009f]*';
const stringIntroducer = '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d\\u009e\\u009f])';
const escapeSequences = new RegExp(
  [
    `${stringIntroducer}${stringBody}${stringEnd}`,
    `${stringIntroducer}${unendedBody}`,
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);

/** Line ends of every kind become one kind. */
const lineEnds = /\r\n|[\u2028\u2029]/g;

/**
 * What may not reach a terminal: control characters (C0 but newline and tab, DEL, C1), marks and
 * overrides of writing direction, invisible characters, tag characters, halves of surrogate pairs.
 */
const unsafeCharacters = new RegExp(
  [
    '(?![\\n\\t])\\p{Cc}',
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
    '[\\u00ad\\u200b\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb]',
    '[\\u{e0000}-\\u{e007f}]',
    '\\p{Surrogate}',
  ].join('|'),
  'gu',
);

/** Options of {@link sanitize}. */
export interface SanitizeOptions {
  /** Keep tabs, for output that goes to a file or a pipe. @defaultValue `false` */
  readonly keepTabs?: boolean;
}

/** What a tab becomes on a terminal, where its width would depend on the column. */
const tabSpaces = '    ';

/**
 * Makes text of a model, a tool or a file safe for a terminal.
 *
 * The result holds no control character but newlines (and tabs with `keepTabs`), no escape
 * sequence, nothing that reverses or hides text. Pure, idempotent, linear in the length.
 */
export function sanitize(text: string, options: SanitizeOptions = {}): string {
  const plain = text
    .replace(escapeSequences, '')
    .replace(lineEnds, '\n')
    .replace(unsafeCharacters, '');
  return options.keepTabs === true ? plain : plain.replaceAll('\t', tabSpaces);
}

/** Like {@link sanitize}, with every run of white space made one space: text for a single line. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replace(/\s+/g, ' ').trim();
}
