import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isDamage } from '../database/sqlite-errors.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { FailureFacts } from '../resilience/failure-facts.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type {
  Engine,
  SegmentMessage,
  SegmentRequest,
  SegmentResult,
  SessionStanding,
} from './engine.ts';
import { runSegment, type SegmentContext } from './run-segment.ts';
import { SessionFiles } from './session-files.ts';
import type { Watcher } from './watcher.ts';

/** How a {@link ClaudeEngine} is made. */
export interface ClaudeEngineOptions {
  readonly store: SessionStore;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Environment of the agents, before markers are stripped and ours are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectSettings: boolean;
  readonly flowerVersion: string;
  readonly watcher: Watcher;
}

/** Drives the Claude Code binary through the Agent SDK. */
export class ClaudeEngine implements Engine {
  readonly #context: SegmentContext;
  readonly #files: SessionFiles;

  constructor(options: ClaudeEngineOptions) {
    this.#files = new SessionFiles(options);
    this.#context = { ...options, files: this.#files };
  }

  get sdkVersion(): string {
    return readSdkVersion();
  }

  inspect(sessionId: string): Promise<SessionStanding> {
    return this.#files.inspect(sessionId);
  }

  takeInFrom(workspace: string, sessionId: string): Promise<void> {
    return this.#files.takeInFrom(workspace, sessionId);
  }

  async *run(request: SegmentRequest): AsyncGenerator<SegmentMessage, void, undefined> {
    // Started there, the SDK would say that its binary is missing.
    if (this.#isHomeless) {
      yield { ...unprepared(undefined), facts: this.#homeless };
      return;
    }
    try {
      await this.#files.prepare(request.sessionId, request.start, request.spec.instructions);
    } catch (error) {
      if (isDamage(error)) throw error;
      yield unprepared(error);
      return;
    }
    for await (const message of runSegment(request, this.#context)) {
      const isDisturbed = message.kind === 'result' && !message.ok && this.#isHomeless;
      yield isDisturbed ? { ...message, facts: this.#homeless } : message;
    }
  }

  get #isHomeless(): boolean {
    const { workspace } = this.#context;
    return statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true;
  }

  /** Waiting does not bring the workspace back. */
  get #homeless(): FailureFacts {
    const { workspace: path } = this.#context;
    return {
      message: new FlowerError('workspace-missing', { path }).message,
      resendCannotCure: true,
    };
  }
}

/** Nothing was started, so nothing was spent. */
function unprepared(error: unknown): SegmentResult {
  const message = error instanceof Error ? error.message : String(error);
  return {
    kind: 'result',
    ok: false,
    costUsd: 0,
    numTurns: 0,
    facts: { message },
    modelUsage: {},
    tokens: {},
  };
}

const packageFile = z.object({ version: z.string() });

function readSdkVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const text = readFileSync(join(dirname(entry), 'package.json'), 'utf8');
  return packageFile.parse(JSON.parse(text)).version;
}
