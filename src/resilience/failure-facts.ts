/** How a failure is to be met. The order of tests is overflow, fatal, limited, transient, unknown. */
export type FailureClass = 'overflow' | 'fatal' | 'limited' | 'transient' | 'unknown';

/** Structured facts of a failed attempt; they decide before any text does. All are optional. */
export interface FailureFacts {
  /** Text of the failure, the last resort. */
  readonly message?: string;
  /** `terminal_reason` of the result message. */
  readonly terminalReason?: string;
  /** `subtype` of the result message, for example `error_max_turns`. */
  readonly resultSubtype?: string;
  /** `error` of the synthetic assistant message, for example `rate_limit`. */
  readonly error?: string;
  /** HTTP status of the API, `null` when there was none. */
  readonly apiErrorStatus?: number | null;
  /** `apiErrorType` of the transcript row, for example `rate_limit_error`. */
  readonly apiErrorType?: string;
  /** `apiError` of the transcript row, for example `usage_limit_reached`. */
  readonly apiError?: string;
  /** Epoch seconds of `rate_limit_info.resetsAt` of a rejected limit. */
  readonly limitResetsAt?: number;
  /** The API itself says that sending again cannot help. */
  readonly resendCannotCure?: boolean;
  /** Exit code of the agent process when it ended without a result. */
  readonly exitCode?: number | null;
  /** Last lines of the agent process's standard error. */
  readonly stderr?: string;
}
