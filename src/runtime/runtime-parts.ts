import type { Engine } from '../claude/engine.ts';
import type { Leases } from '../continuity/leases.ts';
import type { RunDatabase } from '../database/run-database.ts';
import type { WriteBacklog } from '../database/write-backlog.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { AttemptRows } from '../ledger/attempt-rows.ts';
import type { Manifest } from '../ledger/manifest.ts';
import type { ModelUsageLog } from '../ledger/model-usage.ts';
import type { Clock } from '../resilience/clock.ts';
import type { Endpoint } from '../resilience/endpoint.ts';
import type { Resilience } from '../resilience/resilience-options.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { SessionOwners } from '../sessions/sqlite/session-owners.ts';

/** What the parts of one runtime share. */
export interface RuntimeParts {
  readonly engine: Engine;
  readonly database: RunDatabase;
  /** True when a damaged database was set aside at this opening. */
  readonly isReplaced: boolean;
  /** Writes of a run that must not stop it. */
  readonly writes: WriteBacklog;
  readonly store: SessionStore;
  readonly owners: SessionOwners;
  /** Real path. */
  readonly workspace: string;
  readonly projectKey: string;
  readonly leases: Leases;
  readonly rows: AttemptRows;
  readonly manifest: Manifest;
  readonly usage: ModelUsageLog;
  readonly bus: EventBus;
  /** Takes the environment's secrets out of what people see. */
  readonly redact: <Value>(value: Value) => Value;
  readonly clock: Clock;
  readonly random: () => number;
  readonly resilience: Resilience;
  /** Where the API is; `null` when that cannot be told. */
  readonly endpoint: Endpoint | null;
  readonly silentMs: number;
  readonly model: string | undefined;
  readonly runDir: string;
  /** Process mark. */
  readonly run: string;
  /** This process, as open rows name it. */
  readonly host: { readonly pid: number; readonly start: string };
  readonly flowerVersion: string;
}
