import { randomUUID } from 'node:crypto';
import type { SessionKey, SessionStore } from '../sessions/session-store.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { injectedResult, isAgentCall, pendingAgentResult } from '../transcript/injected-result.ts';
import { INTERRUPT_TEXT } from '../transcript/interrupt-text.ts';
import { missingEntries } from '../transcript/merge.ts';
import { withoutForeignPrompts } from '../transcript/prompt-snapshots.ts';
import { isChainRow } from '../transcript/row.ts';
import { shapeTranscript } from '../transcript/shape.ts';
import { turnState } from '../transcript/turn-state.ts';
import { structuredOutput, turnText } from '../transcript/turn-text.ts';
import type { SegmentStart, SessionStanding } from './engine.ts';
import { KnownSession } from './known-session.ts';
import { type LocalSession, mainTranscriptPath } from './local-paths.ts';
import {
  type LocalStamp,
  readLocalTranscript,
  type SessionRows,
  setAsideStub,
  stampLocalTranscript,
  writeLocalTranscript,
} from './local-transcript.ts';
import { configDirectory, projectKeyOf } from './project-key.ts';
import { leftoverResumeDirectories } from './resume-directories.ts';

/** A row that came from Claude Code's own files. */
export interface TakenRow {
  readonly entry: TranscriptEntry;
  readonly subpath: string | undefined;
}

/** Whose sessions are brought together. */
export interface SessionFilesOptions {
  readonly store: SessionStore;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file that grows while it is being prepared is read again this often at most. */
const prepareAttempts = 3;

/**
 * Keeps store and Claude Code's own files of a session together.
 *
 * The store is the truth and keeps every row; the local file is what the binary resumes from. What
 * only the local file has is taken into the store first, then the file is written anew with the
 * shaped rows.
 */
export class SessionFiles {
  readonly #options: SessionFilesOptions;
  readonly #projectKey: string;
  /** The session that was looked at last: what is found there serves for its preparation. */
  #known: KnownSession | undefined;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    this.#projectKey = projectKeyOf(options.workspace);
  }

  /** Takes in local rows, then says how the session stands. */
  async inspect(sessionId: string): Promise<SessionStanding> {
    const taken = await this.takeIn(sessionId);
    const { entries, safe } = await this.#knowledgeOf(sessionId).shaped();
    return {
      exists: entries.some((entry) => entry.type === 'user' || entry.type === 'assistant'),
      isWhole: safe,
      turn: turnState(entries),
      turnText: turnText(entries),
      structuredOutput: structuredOutput(entries),
      recovered: taken.length,
      nextSequence: await this.#options.store.nextSequence(this.#key(sessionId)),
    };
  }

  /** Rows that the local files (or leftover resume folders) have and the store lacked until now. */
  async takeIn(sessionId: string): Promise<TakenRow[]> {
    const taken: TakenRow[] = [];
    for (const session of this.#places(sessionId)) {
      taken.push(...(await this.#takeInFrom(session)).taken);
    }
    return taken;
  }

  /**
   * Takes in what Claude Code's files of the session hold under another path of this workspace: it
   * was moved, and a killed run there may have left rows that are nowhere else.
   */
  async takeInFrom(workspace: string, sessionId: string): Promise<void> {
    await this.#takeInFrom({ ...this.#local(sessionId), projectKey: projectKeyOf(workspace) });
  }

  /**
   * Makes the local files ready for a segment: a shaped session to resume, or a free place.
   *
   * @param instructions - Of the role that goes on: what the session pins of another is left out.
   */
  async prepare(sessionId: string, start: SegmentStart, instructions = ''): Promise<void> {
    const session = this.#local(sessionId);
    if (start === 'new') {
      setAsideStub(session);
      return;
    }
    // A result that only the local file has is no unknown one.
    await this.#takeInFrom(session);
    await this.#answerCutCallsOfSubagents(sessionId);
    if (start === 'turn') await this.#answerCutCalls(sessionId);
    for (let attempt = 1; attempt <= prepareAttempts; attempt += 1) {
      const { stamp } = await this.#takeInFrom(session);
      const rows = await this.#shapedRows(sessionId, instructions);
      if (writeLocalTranscript(session, rows, stamp) === 'changed') continue;
      // The agent writes from now on, and its rows need not stay in memory.
      this.#known = undefined;
      return;
    }
    throw new Error(
      `The transcript of session ${sessionId} keeps changing: another process writes it.`,
    );
  }

  /** The stamp is that of the files whose rows are all in the store now. */
  async #takeInFrom(
    session: LocalSession,
  ): Promise<{ readonly taken: TakenRow[]; readonly stamp: LocalStamp }> {
    const known = this.#knowledgeOf(session.sessionId);
    const path = mainTranscriptPath(session);
    const stamp = stampLocalTranscript(session);
    if (known.hasTaken(path, stamp)) return { taken: [], stamp };
    const local = readLocalTranscript(session);
    const taken = local.exists ? await this.#merge(known, local) : [];
    known.noteTaken(path, local.stamp);
    return { taken, stamp: local.stamp };
  }

  async #merge(known: KnownSession, local: SessionRows): Promise<TakenRow[]> {
    const { store } = this.#options;
    const taken: TakenRow[] = [];
    const streams: [string | undefined, readonly TranscriptEntry[]][] = [
      [undefined, local.main],
      ...local.subagents,
    ];
    for (const [subpath, rows] of streams) {
      const key = subpath === undefined ? known.key : { ...known.key, subpath };
      const stored = subpath === undefined ? await known.rows() : await store.load(key);
      const missing = missingEntries(stored ?? [], rows);
      if (missing.length === 0) continue;
      await store.append(key, missing);
      taken.push(...missing.map((entry) => ({ entry, subpath })));
    }
    return taken;
  }

  async #shapedRows(sessionId: string, instructions: string): Promise<SessionRows> {
    const { store } = this.#options;
    const key = this.#key(sessionId);
    const subagents = new Map<string, readonly TranscriptEntry[]>();
    for (const subpath of await store.listSubkeys(key)) {
      const rows = (await store.load({ ...key, subpath })) ?? [];
      subagents.set(subpath, shapeTranscript(rows, { sidechain: true, sessionId }).entries);
    }
    const { entries } = await this.#knowledgeOf(sessionId).shaped();
    return { main: withoutForeignPrompts(entries, instructions).entries, subagents };
  }

  /**
   * Answers the calls that were cut, before the binary does it in its own way: it would drop a
   * subagent's call from the model's view, and its texts are replaced at the next load, which would
   * spoil the prompt cache. Ours are the same at every load.
   */
  async #answerCutCalls(sessionId: string): Promise<void> {
    const key = this.#key(sessionId);
    const { entries } = await this.#knowledgeOf(sessionId).shaped();
    const turn = turnState(entries);
    if (turn.kind !== 'cut') return;
    let parentUuid = turn.entry.uuid;
    for (const call of turn.pendingCalls) {
      const place = {
        uuid: randomUUID(),
        sessionId,
        timestamp: new Date().toISOString(),
        ...(parentUuid === undefined ? {} : { parentUuid }),
      };
      const row = isAgentCall(call)
        ? pendingAgentResult(call, await this.#agentOf(key, call.id), place)
        : injectedResult(call, INTERRUPT_TEXT, place);
      parentUuid = row.uuid;
      await this.#options.store.append(key, [row]);
    }
  }

  /**
   * The same for every subagent: the binary leaves a cut call out when the agent is continued, so
   * that it would be made again unknowingly.
   */
  async #answerCutCallsOfSubagents(sessionId: string): Promise<void> {
    const { store } = this.#options;
    const main = this.#key(sessionId);
    for (const subpath of await store.listSubkeys(main)) {
      const key = { ...main, subpath };
      const rows = (await store.load(key)) ?? [];
      const { entries } = shapeTranscript(rows, { sidechain: true, sessionId });
      const turn = turnState(entries, 0, { sidechain: true });
      if (turn.kind !== 'cut') continue;
      let parentUuid = turn.entry.uuid;
      for (const call of turn.pendingCalls) {
        const row = injectedResult(call, INTERRUPT_TEXT, {
          uuid: randomUUID(),
          sessionId,
          timestamp: new Date().toISOString(),
          ...(parentUuid === undefined ? {} : { parentUuid }),
        });
        parentUuid = row.uuid;
        const agentId = subpath.replace(/^.*agent-/, '');
        await store.append(key, [{ ...row, isSidechain: true, agentId }]);
      }
    }
  }

  async #agentOf(key: SessionKey, toolUseId: string): Promise<string | undefined> {
    const { store } = this.#options;
    for (const subpath of await store.listSubkeys(key)) {
      const rows = (await store.load({ ...key, subpath })) ?? [];
      const isHis = rows.some(
        (row) => row.type === 'agent_metadata' && row['toolUseId'] === toolUseId,
      );
      // Claude Code resumes an agent by what it said or heard; its description alone is refused.
      if (isHis && rows.some(isChainRow)) return subpath.replace(/^.*agent-/, '');
    }
    return undefined;
  }

  #knowledgeOf(sessionId: string): KnownSession {
    if (this.#known?.key.sessionId !== sessionId) {
      this.#known = new KnownSession(this.#options.store, this.#key(sessionId));
    }
    return this.#known;
  }

  #places(sessionId: string): LocalSession[] {
    return [...leftoverResumeDirectories(sessionId), this.#local(sessionId)];
  }

  #local(sessionId: string): LocalSession {
    return {
      configDirectory: configDirectory(this.#options.env),
      projectKey: this.#projectKey,
      sessionId,
    };
  }

  #key(sessionId: string): SessionKey {
    return { projectKey: this.#projectKey, sessionId };
  }
}
