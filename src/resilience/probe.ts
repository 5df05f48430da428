import { connect } from 'node:net';
import { type Clock, systemClock } from './clock.ts';
import type { Endpoint } from './endpoint.ts';

/** Bounds one probe. */
export interface ProbeOptions {
  /** Name resolution and handshake together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Tries name resolution and one TCP handshake. No byte is sent, nothing is paid, nothing logged in.
 *
 * @param endpoint - `null` is one that cannot be probed, taken as reachable.
 * @returns False after any error, the time limit or an abort; never rejects.
 */
export function isReachable(endpoint: Endpoint | null, options: ProbeOptions): Promise<boolean> {
  if (endpoint === null) return Promise.resolve(true);
  if (options.signal?.aborted) return Promise.resolve(false);
  return shakeHands(endpoint, options).catch(() => false);
}

function shakeHands(
  { host, port }: Endpoint,
  { timeoutMs, signal }: ProbeOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Node gives each address of a host only 250 ms by default, too little for a far away one.
    const socket = connect({ host, port, autoSelectFamilyAttemptTimeout: perAddressMs(timeoutMs) });
    const finish = (reached: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(reached);
    };
    const onAbort = (): void => finish(false);
    const timer = setTimeout(onAbort, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => finish(true));
    socket.on('error', onAbort);
  });
}

function perAddressMs(timeoutMs: number): number {
  return Math.max(250, Math.floor(timeoutMs / 2));
}

/** How long and how often to look for the network. */
export interface OfflineWaitOptions {
  readonly probeTimeoutMs: number;
  readonly probeIntervalMs: number;
  readonly maxOfflineWaitMs: number;
}

/** What the wait needs from outside; everything has a default. */
export interface OfflineWaitContext {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  /** Called once, after the first failed probe that waiting follows. */
  readonly onOffline?: () => void;
  /** Called once, when a probe succeeds after a failed one. */
  readonly onOnline?: (waitedMs: number) => void;
  readonly probe?: (endpoint: Endpoint | null, options: ProbeOptions) => Promise<boolean>;
}

/** How a wait for the network ended. */
export interface OfflineWaitResult {
  /** False at the time limit. */
  readonly ok: boolean;
  readonly waitedMs: number;
}

/**
 * Probes at once, then in intervals, until the endpoint can be reached.
 *
 * The time limit counts on a monotonic clock, so a machine that sleeps does not use it up, and the
 * last probe stands at its end. An aborted wait rejects with the signal's reason; the network never
 * makes it reject.
 */
export async function waitUntilReachable(
  endpoint: Endpoint | null,
  options: OfflineWaitOptions,
  context: OfflineWaitContext = {},
): Promise<OfflineWaitResult> {
  const { clock = systemClock, random = Math.random, signal, probe = isReachable } = context;
  const startedMs = clock.monotonicMs();
  const waitedMs = (): number => clock.monotonicMs() - startedMs;
  const probeOptions = {
    timeoutMs: options.probeTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  };
  let isOffline = false;
  while (!(await probe(endpoint, probeOptions))) {
    signal?.throwIfAborted();
    const leftMs = options.maxOfflineWaitMs - waitedMs();
    if (leftMs <= 0) return { ok: false, waitedMs: waitedMs() };
    if (!isOffline) context.onOffline?.();
    isOffline = true;
    const pauseMs = options.probeIntervalMs * (0.75 + random() * 0.5);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
  if (isOffline) context.onOnline?.(waitedMs());
  return { ok: true, waitedMs: waitedMs() };
}
