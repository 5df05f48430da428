import type { SessionKey, SessionStore } from '../sessions/session-store.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { type ShapedTranscript, shapeTranscript } from '../transcript/shape.ts';
import { isSameStamp, type LocalStamp } from './local-transcript.ts';

interface Conversation {
  readonly sequence: number;
  readonly rows: readonly TranscriptEntry[];
  shaped?: ShapedTranscript;
}

/**
 * What is known of one session while it is looked at and made ready, so that its rows are read,
 * merged and shaped once.
 *
 * The rows count as long as the store would give the next row the same place; a local file as long
 * as it stands as it was read. Anything else is read again.
 */
export class KnownSession {
  readonly key: SessionKey;
  readonly #store: SessionStore;
  readonly #taken = new Map<string, LocalStamp>();
  #conversation: Conversation | undefined;

  constructor(store: SessionStore, key: SessionKey) {
    this.#store = store;
    this.key = key;
  }

  /** Rows of the main conversation, as stored. */
  async rows(): Promise<readonly TranscriptEntry[]> {
    return (await this.#load()).rows;
  }

  /** The main conversation as the model is to see it. */
  async shaped(): Promise<ShapedTranscript> {
    const conversation = await this.#load();
    const { sessionId } = this.key;
    conversation.shaped ??= shapeTranscript(conversation.rows, { sessionId });
    return conversation.shaped;
  }

  /** The store has all that the local files at `path` held when they had this stamp. */
  noteTaken(path: string, stamp: LocalStamp): void {
    this.#taken.set(path, stamp);
  }

  /** True when the local files at `path` hold nothing that the store lacks. */
  hasTaken(path: string, stamp: LocalStamp): boolean {
    const taken = this.#taken.get(path);
    return taken !== undefined && isSameStamp(taken, stamp);
  }

  async #load(): Promise<Conversation> {
    const sequence = await this.#store.nextSequence(this.key);
    if (this.#conversation?.sequence === sequence) return this.#conversation;
    const rows = (await this.#store.load(this.key)) ?? [];
    this.#conversation = { sequence, rows };
    return this.#conversation;
  }
}
