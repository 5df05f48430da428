import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ClaudeEngine } from '../claude/claude-engine.ts';
import type { Engine } from '../claude/engine.ts';
import { isStopped, processStart } from '../claude/process-tree.ts';
import { projectKeyOf } from '../claude/project-key.ts';
import { startWatcher, type Watcher } from '../claude/watcher.ts';
import { Leases } from '../continuity/leases.ts';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { isDamage } from '../database/sqlite-errors.ts';
import { markSuspect } from '../database/suspect.ts';
import { WriteBacklog } from '../database/write-backlog.ts';
import { EventBus } from '../events/event-bus.ts';
import { AttemptRows } from '../ledger/attempt-rows.ts';
import { Manifest } from '../ledger/manifest.ts';
import { ModelUsageLog } from '../ledger/model-usage.ts';
import { systemClock } from '../resilience/clock.ts';
import { endpointOf } from '../resilience/endpoint.ts';
import { resolveResilience } from '../resilience/resilience-options.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { SessionOwners } from '../sessions/sqlite/session-owners.ts';
import { SqliteSessionStore } from '../sessions/sqlite/sqlite-session-store.ts';
import { redactSecrets, secretValues } from '../settings/redact.ts';
import { reportWriteFailure } from './flow-session.ts';
import { assertWritable } from './assert-writable.ts';
import { diskError } from './disk-error.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { RuntimeParts } from './runtime-parts.ts';

/** What a runtime has found out before its parts are put together. */
export interface RuntimeGround {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Real path. */
  readonly workspace: string;
  readonly runDir: string;
  /** Process mark. */
  readonly run: string;
  /** Another process took over a lease of ours. */
  readonly onLeaseLost: (name: string) => void;
}

/** Default of `RuntimeOptions.silentMs`. */
const defaultSilentMs = 600_000;
const packageFile = z.object({ version: z.string() });

/**
 * Opens the database and puts the parts of a runtime together.
 *
 * @throws FlowerError `run-dir-unwritable`, `option-invalid`, `database-newer`
 */
export function assembleRuntime(
  options: RuntimeOptions,
  ground: RuntimeGround,
): { readonly parts: RuntimeParts; readonly watcher: Watcher | undefined } {
  const resilience = resolveResilience(
    typeof options.resilience === 'object'
      ? options.resilience
      : { enabled: options.resilience ?? true },
  );
  const clock = options.clock ?? systemClock;
  const secrets = secretValues(ground.env);
  const redact: RuntimeParts['redact'] = (value) => redactSecrets(value, secrets);
  const bus = makeBus(options, ground, redact);
  const { database, isReplaced } = openDatabase(ground, bus);
  const store = new SqliteSessionStore(database);
  const rows = new AttemptRows(database);
  const flowerVersion = readFlowerVersion();
  const host = { pid: process.pid, start: processStart(process.pid) ?? '' };
  const watcher = options.engine === undefined ? startWatcher() : undefined;
  const parts: RuntimeParts = {
    engine: options.engine ?? claudeEngine(options, ground, { store, flowerVersion, watcher }),
    database,
    isReplaced,
    writes: new WriteBacklog(database, (error) => reportDatabaseTrouble(ground, bus, error)),
    store,
    owners: new SessionOwners(database),
    workspace: ground.workspace,
    projectKey: projectKeyOf(ground.workspace),
    leases: new Leases({
      database,
      runDir: ground.runDir,
      run: ground.run,
      host,
      now: () => clock.now(),
      isStopped,
      onLost: ground.onLeaseLost,
    }),
    rows,
    manifest: makeManifest(ground, { database, rows, bus }),
    usage: new ModelUsageLog(database),
    bus,
    redact,
    clock,
    random: options.random ?? Math.random,
    resilience,
    endpoint: endpointOf(ground.env),
    silentMs: options.silentMs ?? defaultSilentMs,
    model: options.model,
    runDir: ground.runDir,
    run: ground.run,
    host,
    flowerVersion,
  };
  return { parts, watcher };
}

/** @throws FlowerError `run-dir-unwritable`, `database-locked`, `database-newer`, `option-invalid` */
function openDatabase(
  { runDir, run }: RuntimeGround,
  bus: EventBus,
): { readonly database: RunDatabase; readonly isReplaced: boolean } {
  let isReplaced = false;
  try {
    const database = openRunDatabase(join(runDir, 'sessions.db'), {
      onSetAside: (path, rows) => {
        isReplaced = true;
        bus.emit({ type: 'alarm', code: 'database-set-aside', params: { path, rows } });
      },
    });
    assertWritable(runDir, run, database);
    return { database, isReplaced };
  } catch (error) {
    throw diskError(error, runDir);
  }
}

function reportDatabaseTrouble({ runDir }: RuntimeGround, bus: EventBus, error: unknown): void {
  if (isDamage(error)) markSuspect(join(runDir, 'sessions.db'));
  reportWriteFailure({ bus }, 'sessions.db', error);
}

/** The version in `package.json`. */
export function readFlowerVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return packageFile.parse(JSON.parse(text)).version;
}

function makeBus(
  options: RuntimeOptions,
  ground: RuntimeGround,
  redact: RuntimeParts['redact'],
): EventBus {
  const clock = options.clock ?? systemClock;
  const bus = new EventBus({ run: ground.run, now: () => clock.now(), redact });
  if (options.onEvent !== undefined) bus.subscribe(options.onEvent);
  return bus;
}

function makeManifest(
  { runDir }: RuntimeGround,
  { database, rows, bus }: Pick<RuntimeParts, 'database' | 'rows' | 'bus'>,
): Manifest {
  return new Manifest({
    database,
    rows,
    path: join(runDir, 'manifest.json'),
    onWriteFailure: (error) => reportWriteFailure({ bus }, 'manifest.json', error),
    onSetAside: (path) =>
      bus.emit({
        type: 'notice',
        code: 'file-set-aside',
        params: { file: 'manifest.json', path },
      }),
  });
}

function claudeEngine(
  options: RuntimeOptions,
  { env, workspace }: RuntimeGround,
  parts: { store: SessionStore; flowerVersion: string; watcher: Watcher | undefined },
): Engine {
  return new ClaudeEngine({
    store: parts.store,
    workspace,
    env,
    projectSettings: options.projectSettings ?? false,
    flowerVersion: parts.flowerVersion,
    watcher: parts.watcher ?? startWatcher(),
  });
}
