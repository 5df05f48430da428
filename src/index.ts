/**
 * flower runs long jobs with Claude Code: hours or days, across kills, reboots and network cuts.
 *
 * @module
 */

// Workflows
export { Step } from './workflow/step.ts';
export type { OnFail, StepOptions, StepPrompt } from './workflow/step.ts';
export { StepAbort } from './workflow/step-abort.ts';
export { Workflow } from './workflow/workflow.ts';
export type {
  OptionalStepOptions,
  RequiredStepOptions,
  StepName,
  WorkflowOptions,
} from './workflow/workflow.ts';
export type { AnyContext, ContextKeys, StepContext } from './workflow/context.ts';
export type { WorkflowRunOptions } from './workflow/workflow-definition.ts';

// Agents and their runtime
export type { AgentSpec } from './claude/agent-spec.ts';
export { Runtime } from './runtime/runtime.ts';
export type { RuntimeOptions } from './runtime/runtime-options.ts';
export type { RunOptions, RunSession } from './runtime/run-options.ts';
export type { StepResult, Versions } from './runtime/step-result.ts';
export type { GitHeads } from './ledger/git-head.ts';

// Continuity
export { Lineage } from './continuity/lineage.ts';
export type { LineageAbsence } from './continuity/settle-lineage.ts';
export { readStatus } from './runtime/status.ts';
export type { RunStatus, StatusOptions, StepStatus } from './runtime/status.ts';
export type { NearbyRunDir } from './continuity/nearby-run-dirs.ts';

// Resilience
export { classify } from './resilience/classify.ts';
export { parseLimitReset } from './resilience/limits.ts';
export type { FailureClass, FailureFacts } from './resilience/failure-facts.ts';
export type { Resilience } from './resilience/resilience-options.ts';
export type { Clock } from './resilience/clock.ts';

// Events
export type {
  AlarmCode,
  ContinuedSession,
  EventConsumer,
  EventEnvelope,
  FlowerEvent,
  FlowerEventBody,
  NoticeCode,
  SpeakerScope,
  StepScope,
  TokenCounts,
  WaitReason,
} from './events/event.ts';
export type { QuestionOutcome, SkipReason, VerdictItem, VerdictState } from './events/outcome.ts';

// Errors
export { FlowerError } from './errors/flower-error.ts';
export type { ArchiveFault, FlowerErrorCode, FlowerErrorParams } from './errors/error-messages.ts';
