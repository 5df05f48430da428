import { randomUUID } from 'node:crypto';
import type { SessionStanding } from '../claude/engine.ts';
import type { Lease } from '../continuity/leases.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { RunOptions } from './run-options.ts';
import { recoverRuns } from './recover.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { takeLease } from './take-lease.ts';

/** A session that this process alone writes, until `release`. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly standing: SessionStanding;
  release(): void;
}

type Opening = Pick<RunOptions, 'resume' | 'fork' | 'sessionId' | 'resumeAt'>;

/**
 * Chooses and prepares the session of a run: a new one, an earlier one, or a branch of one.
 *
 * A branch is made by copying the rows in the store, so it is durable before anything starts.
 *
 * @throws FlowerError `busy` when another process writes the session, `session-unknown` when the
 *   session to continue has no records or belongs to another workspace.
 */
export async function openSession(parts: RuntimeParts, options: Opening): Promise<OpenedSession> {
  const { resume, fork = false } = options;
  if (resume === undefined) {
    return await hold(parts, options.sessionId ?? randomUUID());
  }
  if (!fork) {
    const opened = await hold(parts, resume);
    requireRecords(parts, opened);
    return opened;
  }
  const source = await hold(parts, resume);
  try {
    requireRecords(parts, source);
    const target = options.sessionId ?? randomUUID();
    if (!(await parts.store.hasSession(parts.projectKey, target))) {
      await parts.store.copySession({ projectKey: parts.projectKey, sessionId: resume }, target);
    }
    return await hold(parts, target);
  } finally {
    source.release();
  }
}

async function hold(parts: RuntimeParts, sessionId: string): Promise<OpenedSession> {
  const lease = leaseOf(parts, `session ${sessionId}`);
  try {
    if (lease.takenFrom !== undefined) await recoverRuns(parts, [lease.takenFrom]);
    const standing = await parts.engine.inspect(sessionId);
    requireOwn(parts, sessionId);
    return { sessionId, standing, release: () => lease.release() };
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** Where the disk takes no lease the work goes on: the flow's own lease stands around it. */
function leaseOf(parts: RuntimeParts, name: string): Lease {
  try {
    return takeLease(parts, name);
  } catch (error) {
    parts.writes.report(error);
    return { name, generation: 0, takenFrom: undefined, release: () => undefined };
  }
}

/** A workspace whose path differs only in its signs has the same project key. */
function requireOwn(parts: RuntimeParts, sessionId: string): void {
  if (parts.owners.belongs(parts, sessionId)) return;
  throw new FlowerError('session-unknown', { session: sessionId, runDir: parts.runDir });
}

function requireRecords(parts: RuntimeParts, session: OpenedSession): void {
  if (session.standing.exists) return;
  session.release();
  throw new FlowerError('session-unknown', { session: session.sessionId, runDir: parts.runDir });
}
