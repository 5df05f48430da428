import type { SessionStore as SdkSessionStore } from '@anthropic-ai/claude-agent-sdk';
import type { TokenCounts } from '../events/event.ts';
import { addTokens, zeroTokens } from '../events/token-counts.ts';
import type { SessionKey, SessionStore } from '../sessions/session-store.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { type AssistantUsage, assistantUsage, toolCallIds } from './row-facts.ts';

/** What the mirror tells while rows arrive. */
export interface MirrorListener {
  /** The first `user` or `assistant` row of the segment is on disk. */
  readonly onFirstRecord: () => void;
  /** A model response is on disk with its final usage; once a response. */
  readonly onUsage: (usage: AssistantUsage, subpath: string | undefined) => void;
}

/**
 * The SDK's view of flower's session store during one segment.
 *
 * Rows go to the store as they come and are on disk when `append` resolves. `load` always answers
 * `null`: flower writes the shaped session as Claude Code's local file itself, so tool results and
 * subagents stay reachable and only new rows come back (`docs/decisions/0002-own-materialisation.md`).
 */
export class SessionMirror {
  readonly #store: SessionStore;
  readonly #listener: MirrorListener;
  readonly #usage = new Map<string, AssistantUsage>();
  readonly #durableCalls = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #recorded = false;
  #rows = 0;

  constructor(store: SessionStore, listener: MirrorListener) {
    this.#store = store;
    this.#listener = listener;
  }

  /** Rows stored in this segment so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Exact tokens of this segment by model: the last usage of each response counts. */
  get tokens(): Record<string, TokenCounts> {
    const byModel: Record<string, TokenCounts> = {};
    for (const { model, tokens } of this.#usage.values()) {
      byModel[model] = addTokens(byModel[model] ?? zeroTokens, tokens);
    }
    return byModel;
  }

  /** The object that the SDK is given. */
  asSdkStore(): SdkSessionStore {
    return {
      append: (key, entries) => this.append(key, entries),
      load: () => Promise.resolve(null),
      listSubkeys: (key) => this.#store.listSubkeys(key),
    };
  }

  /** Stores rows; resolves when they are on disk. */
  async append(key: SessionKey, entries: readonly TranscriptEntry[]): Promise<void> {
    await this.#store.append(key, entries);
    this.#rows += entries.length;
    for (const entry of entries) this.#note(entry, key.subpath);
  }

  /** Takes note of a row that reached the store on another way (Claude Code's own file). */
  note(entry: TranscriptEntry, subpath: string | undefined): void {
    this.#rows += 1;
    this.#note(entry, subpath);
  }

  /** Resolves true when the call's row is on disk, false when `timeoutMs` passed first. */
  async untilDurable(toolUseId: string, timeoutMs: number): Promise<boolean> {
    if (this.#durableCalls.has(toolUseId)) return true;
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(toolUseId);
        resolve(false);
      }, timeoutMs);
      this.#waiting.set(toolUseId, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #note(entry: TranscriptEntry, subpath: string | undefined): void {
    if (entry.type !== 'user' && entry.type !== 'assistant') return;
    if (!this.#recorded) {
      this.#recorded = true;
      this.#listener.onFirstRecord();
    }
    for (const id of toolCallIds(entry)) {
      this.#durableCalls.add(id);
      this.#waiting.get(id)?.();
      this.#waiting.delete(id);
    }
    const usage = assistantUsage(entry);
    if (usage === undefined) return;
    const known = this.#usage.has(usage.messageId);
    this.#usage.set(usage.messageId, usage);
    if (!known) this.#listener.onUsage(usage, subpath);
  }
}
