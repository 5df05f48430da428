import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Engine,
  SegmentMessage,
  SegmentRequest,
  SessionStanding,
} from '../src/claude/engine.ts';

const tokens = { inputTokens: 900, outputTokens: 120, cacheReadTokens: 0, cacheWriteTokens: 0 };

/**
 * An engine without agents: every segment answers at once. What is left of a step is flower's own
 * work in this process.
 */
export class StubEngine implements Engine {
  readonly sdkVersion = '0.0.0';
  readonly #spoken = new Set<string>();

  inspect(sessionId: string): Promise<SessionStanding> {
    return Promise.resolve({
      exists: this.#spoken.has(sessionId),
      isWhole: true,
      turn: { kind: 'empty' },
      turnText: '',
      structuredOutput: undefined,
      recovered: 0,
      nextSequence: 0,
    });
  }

  async *run(request: SegmentRequest): AsyncGenerator<SegmentMessage, void, undefined> {
    request.onProcess(process.pid, 'stub');
    // As with a real agent: timers and files that wait for a free moment get it.
    await nextTurn();
    yield { kind: 'init', binaryVersion: '0.0.0', model: 'stub' };
    this.#spoken.add(request.sessionId);
    request.onRecord();
    yield { kind: 'event', event: { type: 'text', text: `Done: ${request.prompt}` } };
    yield {
      kind: 'event',
      event: { type: 'usage', messageId: randomUUID(), model: 'stub', tokens, context: 900 },
    };
    yield {
      kind: 'result',
      ok: true,
      costUsd: 0.001,
      numTurns: 1,
      modelUsage: { stub: { ...tokens, costUsd: 0.001 } },
      tokens: { stub: tokens },
    };
  }
}
