import type { Reply } from './reply.ts';
import type { SideKind } from './request-kind.ts';
import type { ScriptedRequest } from './scripted-request.ts';

/** A reply, or a string for a plain text answer. */
export type ScriptReply = Reply | string;

/** Replies by who asks. Plain data: it survives JSON. */
export interface ScriptByRole {
  /** For the main conversation, in order; sessions share the list. */
  readonly main?: readonly ScriptReply[];
  /**
   * For subagents, in order. Each key is a text that stands in the system prompt of the subagent or
   * in the task it was given; the first key that fits wins, `*` fits all.
   */
  readonly subagents?: Readonly<Record<string, readonly ScriptReply[]>>;
  /** Instead of the neutral answers. When a list is used up, the neutral answer comes again. */
  readonly side?: Readonly<Partial<Record<SideKind, readonly ScriptReply[]>>>;
}

/**
 * Decides each reply by code.
 *
 * Called for requests of the main conversation and of subagents, in order of arrival; side requests
 * get their neutral answer. May be called while an earlier promise of it is still open.
 *
 * @param index - Number of calls before this one.
 * @returns `undefined` when it holds no reply; that, or a throw, is a mismatch.
 */
export type ScriptFunction = (
  request: ScriptedRequest,
  index: number,
) => ScriptReply | undefined | Promise<ScriptReply | undefined>;

/** What the model will say: a list for the main conversation, lists by role, or a function. */
export type Script = readonly ScriptReply[] | ScriptByRole | ScriptFunction;
