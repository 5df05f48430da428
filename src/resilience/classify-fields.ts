import { classifyText, isServerError } from './classify-text.ts';
import type { FailureClass, FailureFacts } from './failure-facts.ts';
import { FATAL_STATUSES, FIELD_NOT_KNOWN, TRANSIENT_STATUSES } from './failure-patterns.ts';

type Table = Readonly<Record<string, FailureClass>>;

const BY_TERMINAL_REASON: Table = {
  prompt_too_long: 'overflow',
  blocking_limit: 'overflow',
  rapid_refill_breaker: 'overflow',
  image_error: 'overflow',
  max_turns: 'fatal',
  budget_exhausted: 'fatal',
  structured_output_retry_exhausted: 'fatal',
  hook_stopped: 'fatal',
  stop_hook_prevented: 'fatal',
};

const BY_RESULT_SUBTYPE: Table = {
  error_max_turns: 'fatal',
  error_max_budget_usd: 'fatal',
  error_max_structured_output_retries: 'fatal',
};

const BY_ERROR: Table = {
  authentication_failed: 'fatal',
  oauth_org_not_allowed: 'fatal',
  account_on_hold: 'fatal',
  verification_required: 'fatal',
  billing_error: 'fatal',
  model_not_found: 'fatal',
  overloaded: 'transient',
  server_error: 'transient',
};

const BY_API_ERROR_TYPE: Table = {
  request_too_large: 'overflow',
  authentication_error: 'fatal',
  permission_error: 'fatal',
  not_found_error: 'fatal',
  billing_error: 'fatal',
  policy_blocked: 'fatal',
  api_error: 'transient',
  overloaded_error: 'transient',
  timeout_error: 'transient',
};

const BY_API_ERROR: Table = {
  autocompact_thrashing: 'overflow',
  message_over_context_limit: 'overflow',
  pdf_too_large: 'overflow',
  usage_limit_reached: 'limited',
  unattended_start_limit: 'limited',
  no_response: 'transient',
  connection_failed: 'transient',
  stream_idle_timeout: 'transient',
  computer_slept: 'transient',
  empty_completion: 'transient',
  tool_history_mismatch: 'fatal',
  pdf_password_protected: 'fatal',
  claude_code_version_too_old: 'fatal',
  effort_requires_thinking: 'fatal',
  advisor_incompatible: 'fatal',
  stored_login_refused: 'fatal',
  named_profile_unusable: 'fatal',
  oauth_refresh_store_refused: 'fatal',
  tls_untrusted_ca: 'fatal',
  tls_cert_signature_failure: 'fatal',
  gateway_content_type: 'fatal',
  provider_credentials: 'fatal',
  gateway_signin_required: 'fatal',
  gateway_session_expired: 'fatal',
  api_key_auth_disabled: 'fatal',
  org_disabled_credential: 'fatal',
  invalid_credential_header: 'fatal',
  model_substitution_disabled: 'fatal',
  field_not_granted: 'fatal',
  network_edge_blocked: 'fatal',
  model_requires_usage_credits: 'fatal',
  long_context_credits_required: 'fatal',
  no_allowed_fallback: 'fatal',
  hook_denied: 'fatal',
  dlp_request_denied: 'fatal',
  safety_monitor_blocked: 'fatal',
};

const ORDER: readonly FailureClass[] = ['overflow', 'fatal', 'limited', 'transient', 'unknown'];

/** A shell's code for a command that is missing or cannot be executed. */
const NOT_EXECUTABLE: ReadonlySet<number> = new Set([126, 127]);

/**
 * Classifies a failure by its structured fields.
 *
 * Each field votes; of several votes the first in the order of classes decides. Where a field
 * leaves two classes open (a 400 may be an overflow, a 429 an account limit) the words choose.
 *
 * @returns `undefined` when the fields say nothing.
 */
export function classifyFields(facts: FailureFacts): FailureClass | undefined {
  const votes = new Set([...tableVotes(facts), ...openVotes(facts)]);
  if (isServerError(facts.apiErrorStatus)) votes.delete('overflow');
  addLimitVote(facts, votes);
  if (facts.resendCannotCure === true && !votes.has('limited') && !isThrottle(facts)) {
    votes.add('fatal');
  }
  return ORDER.find((one) => votes.has(one));
}

function tableVotes(facts: FailureFacts): FailureClass[] {
  const votes = [
    lookUp(BY_TERMINAL_REASON, facts.terminalReason),
    lookUp(BY_RESULT_SUBTYPE, facts.resultSubtype),
    lookUp(BY_ERROR, facts.error),
    lookUp(BY_API_ERROR_TYPE, facts.apiErrorType),
    lookUp(BY_API_ERROR, facts.apiError),
    classOfStatus(facts.apiErrorStatus),
    classOfExitCode(facts.exitCode),
  ];
  return votes.filter((vote) => vote !== undefined);
}

function lookUp(table: Table, name: string | undefined): FailureClass | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function classOfStatus(status: number | null | undefined): FailureClass | undefined {
  if (typeof status !== 'number') return undefined;
  if (status === 413) return 'overflow';
  if (isServerError(status)) return 'transient';
  if (status !== 429 && TRANSIENT_STATUSES.has(status)) return 'transient';
  return FATAL_STATUSES.has(status) && !isOpenRefusal(status) ? 'fatal' : undefined;
}

function classOfExitCode(exitCode: number | null | undefined): FailureClass | undefined {
  return typeof exitCode === 'number' && NOT_EXECUTABLE.has(exitCode) ? 'fatal' : undefined;
}

/** The fields that need the words of the failure. */
function openVotes(facts: FailureFacts): FailureClass[] {
  const text = facts.message ?? '';
  const textClass = classifyText(text);
  if (isThrottle(facts)) {
    return [textClass === 'limited' || textClass === 'fatal' ? textClass : 'transient'];
  }
  if (facts.error === 'cloud_credential_error') {
    return [textClass === 'transient' ? 'transient' : 'fatal'];
  }
  if (!isRefusedRequest(facts)) return [];
  if (FIELD_NOT_KNOWN.test(text)) return ['unknown'];
  return [textClass === 'overflow' ? 'overflow' : 'fatal'];
}

function isThrottle(facts: FailureFacts): boolean {
  return (
    facts.error === 'rate_limit' ||
    facts.apiErrorStatus === 429 ||
    facts.apiErrorType === 'rate_limit_error'
  );
}

function isRefusedRequest(facts: FailureFacts): boolean {
  return (
    facts.error === 'invalid_request' ||
    facts.apiErrorType === 'invalid_request_error' ||
    isOpenRefusal(facts.apiErrorStatus)
  );
}

function isOpenRefusal(status: number | null | undefined): boolean {
  return status === 400 || status === 422;
}

/** A known reset makes it a limit, unless the request demonstrably failed for another cause. */
function addLimitVote(facts: FailureFacts, votes: Set<FailureClass>): void {
  if (facts.limitResetsAt === undefined) return;
  if (!votes.has('transient') || isThrottle(facts)) votes.add('limited');
}
