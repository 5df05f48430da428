/** Joins alternatives into one case-insensitive expression. */
function anyOf(...alternatives: readonly RegExp[]): RegExp {
  return new RegExp(alternatives.map((one) => `(?:${one.source})`).join('|'), 'i');
}

/** The conversation, or one thing in it, does not fit the model. */
export const OVERFLOW = anyOf(
  /prompt[ _]is[ _]too[ _]long|prompt_too_long/,
  /input is too long|conversation (?:is )?too long/,
  /exceed(?:s|ed|ing)?(?: the| this| model'?s?| your| available| maximum)* context (?:window|length|limit|size)/,
  /context (?:window|length|limit|size)(?: (?:is|was|has been))? (?:reached|exceeded|exhausted)/,
  /context window limit|exceeded context window/,
  /longer than the (?:model'?s )?(?:maximum )?context/,
  /maximum context length/,
  /context_length_exceeded|exceed_context_size|context_window_exceeded|ContextWindowExceeded/,
  /input token count .{0,40}exceeds? the maximum/,
  /when context the overflows|context overflow/,
  /request_too_large|request (?:entity )?too large|payload too large|content too large/,
  /exceeds the dimension limit/,
  /autocompact is thrashing/,
);

/** A gateway that does not know a field: its next backend may, so no verdict. */
export const FIELD_NOT_KNOWN = anyOf(/extra inputs are not permitted/);

/** Credentials, account, model, certificate, proxy, damaged history, or a stop by policy. */
export const FATAL = anyOf(
  // credentials
  /not logged in|please run \/login|\brun `?(?:claude )?\/?login/,
  /(?:invalid|incorrect|missing|no|disabled|revoked|expired)[ _](?:x-)?api[ _-]?key/,
  /invalid x-api-key|api[ _-]?key (?:is |was |has )?(?:been )?(?:not valid|invalid|missing|revoked|expired|disabled|not found)/,
  /authentication[ _](?:error|failed|failure|required)|failed to authenticate|could not resolve authentication/,
  /\bunauthori[sz]ed\b|\bUNAUTHENTICATED\b|\bforbidden\b/,
  /permission[ _-]denied|permission_error|access[ _]?denied|\bEACCES\b/,
  /(?:oauth|access|refresh|bearer|security|session)[ _]?token.{0,40}(?:has )?(?:expired|revoked|invalid)/,
  /session (?:has )?expired|ExpiredToken|invalid_grant|invalid_token/,
  /UnrecognizedClientException|InvalidSignatureException|InvalidClientTokenId/,
  /could not load (?:the )?(?:default )?credentials|no credentials|CredentialsProviderError/,
  // account and money
  /credit balance|credits? required|insufficient[ _](?:credits?|quota|funds|balance)|billing_error|plans? (?:&|and) billing|billing (?:hard limit|is not|not active|required)|payment required/,
  /quota (?:has been )?exceeded(?! for)|exceeded your current quota|ServiceQuotaExceeded/,
  /disabled organi[sz]ation|organi[sz]ation has been disabled|account is on hold|account (?:has been )?(?:suspended|disabled)/,
  // model
  /issue with the selected model|model_not_found|may not exist or you may not have access/,
  /model identifier is invalid|no models? loaded|requires more system memory/,
  /\bmodel\b.{0,80}(?:\bnot found\b|\bdoes not exist\b|\bis not supported\b|\bnot available in your\b)/,
  /ResourceNotFoundException|invalid_request(?:_error)?\b|\bINVALID_ARGUMENT\b/,
  // certificate and proxy: a TCP probe succeeds, so waiting would never end
  /self[- _]signed[ _]cert|SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:HAS_EXPIRED|NOT_YET_VALID|UNTRUSTED|REVOKED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)/,
  /ERR_TLS_CERT|ERR_SSL_(?:WRONG_VERSION|UNSUPPORTED|TLSV1|SSLV3|NO_)|\bEPROTO\b|unknown ca\b|unknown certificate/,
  /certificate (?:has expired|is not (?:yet )?valid|verif\w*|required|signed by unknown)|unable to verify the first certificate|unable to get (?:local )?issuer certificate/,
  /does not match certificate|wrong version number|hostname mismatch/,
  /ERR_PROXY_TUNNEL|proxy authentication required|proxy refused|ERR_TUNNEL_CONNECTION_FAILED/,
  /empty or malformed response|captive portal/,
  // history and session
  /tool use concurrency issues|no conversation found|requires a valid session|session id .{0,60}already in use/,
  // installation
  /native binary not found|CLINotFound|cannot be used with root|\bspawn\b.{0,200}\b(?:ENOENT|EPERM|ENOEXEC)\b/,
  // policy stops
  /maximum number of turns|max(?:imum)?[_ ]turns|maximum budget|max_budget|budget_exhausted/,
  /(?<!retry )\bbudget (?:has been |was |is )?(?:reached|exceeded|exhausted)|exceeded.{0,20}\bbudget\b|ExceededBudget/,
);

/** Status codes that another try does not change. */
export const FATAL_STATUSES: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 414, 415, 421, 422, 426, 431, 451, 501,
  505, 511,
]);

/** Account limits that end at a time of day or date. */
export const LIMITED = anyOf(
  /\blimit\b.{0,60}\b(?:resets?|resetting)\b/,
  /limit will reset|[·∙•] resets? (?:at |on |in )?\w/,
  /(?<!not your )\busage[ _]limit[ _](?:has been )?(?:reached|exceeded)/,
  /you'?ve (?:hit|reached|used up) your (?:[\w-]+ ){0,4}limit/,
  /\b(?:5-hour|five[- ]hour|daily|weekly|monthly|session|spend(?:ing)?|opus|sonnet) (?:usage |spend )?limit (?:has been )?(?:reached|exceeded)/,
);

/** The network, the server or a short throttle: the same request may pass later. */
export const TRANSIENT = anyOf(
  // Node, libc, undici, Bun
  /\b(?:ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME|EAI_FAIL|ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)\b/,
  /\b(?:EPIPE|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET|ENOTCONN|EADDRNOTAVAIL|ERR_NETWORK|ERR_STREAM_PREMATURE_CLOSE)\b/,
  /\bUND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET|CLOSED|DESTROYED|ABORTED)\b|ERR_HTTP2_|\bGOAWAY\b/,
  /socket hang up|socket is closed|socket (?:connection )?was closed|socket disconnected|other side closed|premature close|TypeError: terminated/,
  /fetch failed|network (?:error|is unreachable|connection lost|changed)|name resolution|no route to host|host is (?:down|unreachable)/,
  /connection[ .]?(?:error|dropped|lost|reset|refused|closed|aborted|terminated|timed? ?out|to the API was lost|broken)|FailedToOpenSocket/,
  /(?:unable|failed|could ?n[o']t|can'?t|cannot) (?:to )?(?:connect|reach)|internet connection/,
  // the stream
  /mid-?(?:response|stream)|response stalled|stopped arriving|request was aborted|stream (?:idle|closed|ended|error|disconnected)/,
  /\btime[- ]?out\b|timed[- ]out|\bdeadline[ _]exceeded\b/,
  // the server
  /overloaded|internal server error|internal_?server_?exception|bad gateway|gateway time-?out|temporar(?:y|il)|server-side issue/,
  /service[ _]?unavailable|unavailable_error|\bUNAVAILABLE\b|try again (?:later|in a)|please try again/,
  /rate[ _-]?limit|too many requests|too many tokens|throttl|\bRESOURCE_EXHAUSTED\b|quota exceeded for|at capacity|capacity issue/,
  /ModelTimeoutException|ModelNotReadyException|ModelStreamErrorException|ModelErrorException/,
  // local model servers
  /loading model|model is (?:still )?loading|server busy|no slots? available|slot unavailable|runner process has terminated|maximum pending requests/,
  /another Claude Code process is refreshing/,
);

/** Status codes below 500 that pass by themselves. */
export const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 423, 425, 429]);
