import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classify, isWorthRetrying } from './classify.ts';
import type { FailureClass, FailureFacts } from './failure-facts.ts';

const table = readFileSync(new URL('./fixtures/error-strings.tsv', import.meta.url), 'utf8');
const collected = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([name = '', text = '']) => [text, name === 'rate-limited-until' ? 'limited' : name]);

describe('classify, collected texts', () => {
  it('has the whole table', () => {
    expect(collected).toHaveLength(80);
  });

  it.each(collected)('%s is %s', (text, expected) => {
    expect(classify(text ?? '')).toBe(expected);
  });
});

describe('classify, further texts', () => {
  it.each<[string, FailureClass]>([
    // Node, libc, undici, Bun
    ['getaddrinfo ENOTFOUND api.anthropic.com', 'transient'],
    ['connect ECONNREFUSED 127.0.0.1:8089', 'transient'],
    ['connect ECONNREFUSED 10.0.0.7:401', 'transient'],
    ['connect ETIMEDOUT 160.79.104.10:443', 'transient'],
    ['connect EHOSTUNREACH 160.79.104.10:443 - Local (192.168.1.4:51404)', 'transient'],
    ['connect ENETUNREACH 2607:6bc0::10:443', 'transient'],
    ['write EPIPE', 'transient'],
    ['read ECONNRESET', 'transient'],
    ['socket hang up', 'transient'],
    [
      'Client network socket disconnected before secure TLS connection was established',
      'transient',
    ],
    [
      'ConnectTimeoutError: Connect Timeout Error (attempted address: api.anthropic.com:443)',
      'transient',
    ],
    ['TypeError: terminated: other side closed (UND_ERR_SOCKET)', 'transient'],
    ['HeadersTimeoutError: UND_ERR_HEADERS_TIMEOUT', 'transient'],
    ['Error [ERR_STREAM_PREMATURE_CLOSE]: Premature close', 'transient'],
    ['ConnectionRefused: Unable to connect. Is the computer able to access the url?', 'transient'],
    ['The socket connection was closed unexpectedly.', 'transient'],
    ["API Error: Can't reach the API server (api.anthropic.com)", 'transient'],
    ['ping: api.anthropic.com: Temporary failure in name resolution', 'transient'],
    // gateways and clouds
    ['HTTP/1.1 504 Gateway Time-out', 'transient'],
    ['Request failed with status code 503', 'transient'],
    ['{"status":520,"title":"Web server returned an unknown error"}', 'transient'],
    ['ThrottlingException: Too many tokens, please wait before trying again.', 'transient'],
    ['ThrottlingException: Too many requests, please wait before trying again.', 'transient'],
    ['ServiceUnavailableException: Bedrock is unable to process your request.', 'transient'],
    ['ModelTimeoutException: Model has timed out in processing the request', 'transient'],
    [
      '429 RESOURCE_EXHAUSTED: Quota exceeded for aiplatform.googleapis.com/online_prediction',
      'transient',
    ],
    ['14 UNAVAILABLE: The service is currently unavailable.', 'transient'],
    ['4 DEADLINE_EXCEEDED: Deadline exceeded', 'transient'],
    ['AccessDeniedException: You do not have access to the model with the specified ID', 'fatal'],
    ['ExpiredTokenException: The security token included in the request is expired', 'fatal'],
    ['CredentialsProviderError: Could not load credentials from any providers', 'fatal'],
    ['ValidationException: The provided model identifier is invalid.', 'fatal'],
    ['ValidationException: Input is too long for requested model.', 'overflow'],
    ['7 PERMISSION_DENIED: Permission denied on resource project', 'fatal'],
    ['Could not load the default credentials', 'fatal'],
    ['invalid_grant: Token has been expired or revoked.', 'fatal'],
    ['429 insufficient_quota: You exceeded your current quota, check your plan', 'fatal'],
    // local model servers
    ['{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', 'transient'],
    ['server busy, please try again. maximum pending requests exceeded', 'transient'],
    ['API Error: 500 llama runner process has terminated: exit status 2', 'transient'],
    ["model 'qwen3' not found, try pulling it first", 'fatal'],
    [
      'API Error: 400 the request exceeds the available context size, try increasing it',
      'overflow',
    ],
    [
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      'overflow',
    ],
    [
      "This model's maximum context length is 32768 tokens, however you requested 40000",
      'overflow',
    ],
    ['input length and `max_tokens` exceed context limit: 195000 + 21333 > 200000', 'overflow'],
    ['413 Request Entity Too Large', 'overflow'],
    // a refusal that also talks of a connection
    ['401 connection refused: invalid API key', 'fatal'],
    ['Connection error: 403 Forbidden', 'fatal'],
    ['fetch failed: unable to verify the first certificate', 'fatal'],
    ['Connection error: certificate has expired (CERT_HAS_EXPIRED)', 'fatal'],
    ['Failed to connect: Proxy authentication required (407)', 'fatal'],
    ['write EPROTO error:0A00010B:SSL routines::wrong version number', 'fatal'],
    // a server error that quotes something else
    ['API Error: 502 Bad Gateway: prompt is too long for upstream buffer', 'transient'],
    ['API Error: 500 upstream: context length exceeded', 'transient'],
    ['API Error: 503 authentication service unavailable', 'transient'],
    // numbers that are no status
    ['Request timed out after 400 ms', 'transient'],
    ['read ECONNRESET after 403 bytes', 'transient'],
    ['wrote 404 lines, then stopped', 'unknown'],
    ['request req-401-abc went away', 'unknown'],
    ['checked 4010 files in 500ms', 'unknown'],
    ['spent $500 on it', 'unknown'],
    ['at line 404', 'unknown'],
    // policy and installation
    ['result: error_max_turns', 'fatal'],
    ['LiteLLM: Budget has been exceeded! Current cost: 10.1, Max budget: 10', 'fatal'],
    ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'fatal'],
    ['spawn /opt/claude ENOENT', 'fatal'],
    ['upstream retry budget exhausted, service unavailable', 'transient'],
    // limits
    ['Claude AI usage limit reached|1749924000', 'limited'],
    ['Weekly limit reached ∙ resets Mon 9am', 'limited'],
    ["You've hit your Opus limit · resets Aug 9, 3pm (Europe/Berlin)", 'limited'],
    ['Out of extra usage · resets 3pm (UTC)', 'limited'],
    ['spend limit reached (daily; resets 2026-08-09 00:00 UTC)', 'limited'],
    ['the connection resets 3 times, then works', 'transient'],
    // nothing to go by
    ['', 'unknown'],
    ['something else', 'unknown'],
  ])('%s is %s', (text, expected) => {
    expect(classify(text)).toBe(expected);
  });
});

describe('classify, structured fields', () => {
  it.each<[string, FailureFacts, FailureClass]>([
    [
      'overflow by terminal reason',
      { terminalReason: 'prompt_too_long', apiErrorStatus: 400, error: 'invalid_request' },
      'overflow',
    ],
    [
      'overflow refused by the CLI itself',
      { terminalReason: 'blocking_limit', apiErrorStatus: null },
      'overflow',
    ],
    [
      'a server error is no overflow, whatever it says',
      { apiErrorStatus: 502, message: 'prompt is too long' },
      'transient',
    ],
    [
      'a server error is no overflow, even by terminal reason',
      { apiErrorStatus: 500, terminalReason: 'prompt_too_long' },
      'transient',
    ],
    [
      'a 400 whose words are an overflow',
      { apiErrorStatus: 400, message: 'maximum context length is 4096' },
      'overflow',
    ],
    ['a 400 with no known words', { apiErrorStatus: 400, message: 'hm' }, 'fatal'],
    [
      'a field that a gateway does not know',
      { apiErrorStatus: 400, message: 'Extra inputs are not permitted' },
      'unknown',
    ],
    [
      'a refused key that talks of a connection',
      { error: 'authentication_failed', message: 'Connection error.' },
      'fatal',
    ],
    ['a status beats words', { apiErrorStatus: 529, message: 'invalid api key' }, 'transient'],
    ['turn cap', { resultSubtype: 'error_max_turns', message: 'Connection error.' }, 'fatal'],
    [
      'budget',
      { terminalReason: 'budget_exhausted', resultSubtype: 'error_max_budget_usd' },
      'fatal',
    ],
    [
      'usage limit',
      { apiError: 'usage_limit_reached', apiErrorType: 'rate_limit_error', apiErrorStatus: 429 },
      'limited',
    ],
    [
      'usage limit that resending cannot cure',
      { apiError: 'usage_limit_reached', resendCannotCure: true },
      'limited',
    ],
    ['a known reset', { error: 'rate_limit', limitResetsAt: 1_780_000_000 }, 'limited'],
    [
      'a known reset beside a lost connection',
      { apiError: 'connection_failed', limitResetsAt: 1_780_000_000 },
      'transient',
    ],
    [
      'a short throttle',
      { error: 'rate_limit', apiErrorStatus: 429, message: 'Request rejected (429)' },
      'transient',
    ],
    [
      'a throttle whose words name a reset',
      { error: 'rate_limit', message: "You've hit your limit · resets 1am" },
      'limited',
    ],
    ['no money', { error: 'billing_error', resendCannotCure: true }, 'fatal'],
    ['resending cannot cure', { error: 'unknown', resendCannotCure: true }, 'fatal'],
    ['a lost connection', { apiError: 'connection_failed', apiErrorStatus: null }, 'transient'],
    [
      'an untrusted certificate',
      { apiError: 'tls_untrusted_ca', message: 'Unable to connect to API' },
      'fatal',
    ],
    [
      'cloud credentials that are missing',
      { error: 'cloud_credential_error', message: 'no profile' },
      'fatal',
    ],
    [
      'cloud credentials that timed out',
      { error: 'cloud_credential_error', message: 'credential resolve timed out' },
      'transient',
    ],
    ['a damaged history', { apiError: 'tool_history_mismatch' }, 'fatal'],
    ['an answer that was too long', { error: 'max_output_tokens' }, 'unknown'],
    [
      'a name from an object prototype',
      { error: 'constructor', message: 'socket hang up' },
      'transient',
    ],
    [
      'exit code with a reason on standard error',
      { message: 'Claude Code process exited with code 1', exitCode: 1, stderr: 'Invalid API key' },
      'fatal',
    ],
    [
      'exit code alone',
      { message: 'Claude Code process exited with code 1', exitCode: 1 },
      'unknown',
    ],
    ['a command that cannot be executed', { exitCode: 126 }, 'fatal'],
    ['nothing', {}, 'unknown'],
  ])('%s', (_title, facts, expected) => {
    expect(classify(facts)).toBe(expected);
  });
});

describe('isWorthRetrying', () => {
  it.each<[FailureClass, boolean, boolean]>([
    ['transient', true, true],
    ['limited', true, true],
    ['unknown', true, false],
    ['fatal', false, false],
    ['overflow', false, false],
  ])('%s: %s with retryUnknown, %s without', (failure, withUnknown, without) => {
    expect(isWorthRetrying(failure, { retryUnknown: true })).toBe(withUnknown);
    expect(isWorthRetrying(failure, { retryUnknown: false })).toBe(without);
  });
});
