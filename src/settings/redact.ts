import type { Environment } from './environment.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|_PASS$|_PWD$|_DSN$|COOKIE|CONNECTION_STRING/i;

/** A shorter value stands in too much innocent text. */
const SHORTEST_SECRET = 8;

/** A single line of a key in several lines counts from here. */
const SHORTEST_LINE = 16;

/** Tokens that are recognised without knowing them. */
const TOKEN_PATTERNS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  /\bsk-ant-[\w-]{8,}/,
  /\bsk-[\w-]{20,}/,
  /\bgh[opsur]_\w{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w.-]{20,}/,
  /\bnpm_\w{30,}/,
  /\bhf_[A-Za-z0-9]{30,}/,
  /\beyJ[\w-]{8,500}\.[\w-]{8,4000}\.[\w-]{8,}/,
  /(?<=\b(?:Bearer|Basic)\s{1,4})(?:(?=[^\s\d]{0,400}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})/,
  /(?<=\bx-api-key["']?\s{0,4}[:=]\s{0,4}["']?)[\w.~+/=-]{8,}/,
  /(?<=:\/\/[^\s:@/]{0,100}:)[^\s@/]+(?=@)/,
];

/**
 * Collects the values that must not leave the machine: those of variables with a secret's name
 * (`KEY`, `TOKEN`, `SECRET`, `PASSWORD`, `CREDENTIAL` and the like) of at least 8 characters.
 */
export function secretValues(env: Environment): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !SECRET_NAME.test(name)) continue;
    for (const one of [value, value.trim()]) {
      if (one.length >= SHORTEST_SECRET) values.add(one);
    }
    for (const line of linesOf(value)) values.add(line);
  }
  return [...values];
}

function linesOf(value: string): readonly string[] {
  if (!value.includes('\n')) return [];
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE);
}

/**
 * Copies a JSON value with every secret in its strings and keys replaced by {@link REDACTED}.
 *
 * Replaced are the given secrets, also in their JSON and URL spelling, and what looks like a token
 * of a known kind. All else stays as it is.
 *
 * @param secrets - As `secretValues` gives them; keep the array, its search pattern is remembered.
 */
export function redactSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const pattern = patterns.get(secrets) ?? remember(secrets);
  // The copy has the shape of the original: only the text inside strings changes.
  return redactDeep(value, pattern) as Value;
}

const tokenPattern = new RegExp(TOKEN_PATTERNS.map(({ source }) => source).join('|'), 'g');

const patterns = new WeakMap<readonly string[], RegExp>();

function remember(secrets: readonly string[]): RegExp {
  const spellings = new Set(secrets.filter((one) => one !== '').flatMap(spellingsOf));
  // The longest first: one secret may be the beginning of another.
  const literals = [...spellings]
    .sort((left, right) => right.length - left.length)
    .map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  const pattern = new RegExp(literals.length === 0 ? NEVER : literals.join('|'), 'g');
  patterns.set(secrets, pattern);
  return pattern;
}

const NEVER = '(?!)';

function spellingsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, '\uFFFD');
  return [secret, inJson, encodeURIComponent(wellFormed)];
}

function redactDeep(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return redactText(value, pattern);
  if (Array.isArray(value)) return value.map((one: unknown) => redactDeep(one, pattern));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    redactText(name, pattern),
    redactDeep(one, pattern),
  ]);
  return Object.fromEntries(entries);
}

function redactText(text: string, pattern: RegExp): string {
  return text.replace(pattern, REDACTED).replace(tokenPattern, REDACTED);
}
