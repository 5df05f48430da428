import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactSecrets, secretValues } from './redact.ts';

describe('secretValues', () => {
  it('takes the long values of variables with a secret name', () => {
    const env = {
      ANTHROPIC_API_KEY: 'key-value-1',
      GITHUB_TOKEN: 'token-value',
      client_secret: 'client-value',
      DB_PASSWORD: 'p4ssw0rd',
      AWS_CREDENTIALS: 'credential-value',
      SHORT_KEY: 'short',
      EMPTY_KEY: undefined,
      HOME: '/home/someone',
      ANTHROPIC_MODEL: 'some-model-name',
    };
    expect(secretValues(env)).toEqual([
      'key-value-1',
      'token-value',
      'client-value',
      'p4ssw0rd',
      'credential-value',
    ]);
  });

  it('takes a key of several lines also line by line', () => {
    const lines = ['first-line-of-the-key', 'second-line-of-the-key', 'end'];
    expect(secretValues({ SSH_KEY: lines.join('\n') })).toEqual([
      lines.join('\n'),
      'first-line-of-the-key',
      'second-line-of-the-key',
    ]);
  });
});

describe('redactSecrets', () => {
  // Assembled here, so that no scanner takes this file for a leak.
  const word = (length: number): string => 'aB3d'.repeat(length).slice(0, length);

  it.each([
    ['an Anthropic key', `sk-ant-api03-${word(40)}`],
    ['a key of the common form', `sk-proj-${word(40)}`],
    ['a GitHub token', `ghp_${word(36)}`],
    ['a fine-grained GitHub token', `github_pat_${word(40)}`],
    ['an AWS key id', `AKIA${'ABCD2345'.repeat(2)}`],
    ['a Google key', `AIza${word(35)}`],
    ['a Slack token', `xoxb-${word(24)}`],
    ['an npm token', `npm_${word(36)}`],
    ['a JSON web token', `eyJ${word(20)}.${word(20)}.${word(20)}`],
  ])('finds %s without knowing it', (_title, token) => {
    expect(redactSecrets(`before ${token} after`, [])).toBe(`before ${REDACTED} after`);
  });

  it.each([
    [`Authorization: Bearer ${word(12)}`, `Authorization: Bearer ${REDACTED}`],
    [`x-api-key: ${word(12)}`, `x-api-key: ${REDACTED}`],
    [`postgres://me:${word(10)}@db/x`, `postgres://me:${REDACTED}@db/x`],
    [
      `-----BEGIN RSA PRIVATE KEY-----\n${word(60)}\n-----END RSA PRIVATE KEY-----\n`,
      `${REDACTED}\n`,
    ],
  ])('keeps what stands around a token: %j', (text, expected) => {
    expect(redactSecrets(text, [])).toBe(expected);
  });

  it.each([
    'Bearer authentication is described in the risk-register',
    'https://example.com:8080/a@b',
    'ask-anything-you-like-about-this-whole-text',
    'a git hash 3f786850e387550fdab836ed7e6dc881de23001b',
    '47395075-bec7-466e-80cd-f4d60b360235',
  ])('leaves %j alone', (text) => {
    expect(redactSecrets(text, [])).toBe(text);
  });

  it('goes into arrays, objects and keys, and leaves other values alone', () => {
    const value = { list: ['a hidden-value b', 1, null, true], 'hidden-value': { deep: 'x' } };
    expect(redactSecrets(value, ['hidden-value'])).toEqual({
      list: [`a ${REDACTED} b`, 1, null, true],
      [REDACTED]: { deep: 'x' },
    });
    expect(value.list[0]).toBe('a hidden-value b');
  });

  it('finds a secret inside JSON inside a string, and in a URL', () => {
    const secret = 'quote"and\\slash /?';
    const nested = JSON.stringify({ key: secret });
    const url = `https://example.com/?k=${encodeURIComponent(secret)}`;
    expect(redactSecrets([nested, url], [secret])).toEqual([
      `{"key":"${REDACTED}"}`,
      `https://example.com/?k=${REDACTED}`,
    ]);
  });

  it('replaces the longer of two secrets that begin alike', () => {
    expect(redactSecrets('password-longer', ['password', 'password-longer'])).toBe(REDACTED);
  });

  const secrets = fc.array(
    fc
      .string({ minLength: 8, maxLength: 40, unit: 'binary' })
      .filter((one) => !REDACTED.includes(one)),
    { minLength: 1, maxLength: 4 },
  );

  it('lets no secret survive anywhere in a value', () => {
    fc.assert(
      fc.property(secrets, fc.array(fc.string(), { maxLength: 5 }), (hidden, texts) => {
        const value = { texts, mixed: texts.join(hidden.join(' ')), nested: [{ hidden }] };
        const strings = stringsOf(redactSecrets(value, hidden));
        for (const secret of hidden) {
          expect(strings.some((one) => one.includes(secret))).toBe(false);
        }
      }),
    );
  });

  it('leaves a value without secrets as it is', () => {
    const plain = fc.stringMatching(/^[a-z ,.]{0,30}$/);
    const values = fc.jsonValue().filter((one) => !JSON.stringify(one).includes('SECRET'));
    fc.assert(
      fc.property(plain, values, (text, value) => {
        expect(redactSecrets({ text, value }, ['SECRET-1234'])).toEqual({ text, value });
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(secrets, fc.string(), (hidden, text) => {
        const once = redactSecrets(text + hidden.join(text), hidden);
        expect(redactSecrets(once, hidden)).toBe(once);
      }),
    );
  });
});

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...stringsOf(one)]);
}
