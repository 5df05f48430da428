import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 20;

/** Resolves with true once `look` does, with false when the time is over or the signal aborts. */
export async function waitUntil(
  look: () => boolean,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const deadlineMs = performance.now() + options.timeoutMs;
  while (!options.signal.aborted) {
    if (look()) return true;
    if (performance.now() >= deadlineMs) return false;
    await delay(pauseMs);
  }
  return false;
}

/** The value, or `undefined` when the time is over or the signal aborts before. */
export async function within<Value>(
  promise: Promise<Value>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Value | undefined> {
  let value: { readonly it: Value } | undefined;
  void promise.then((it) => {
    value = { it };
  });
  await waitUntil(() => value !== undefined, options);
  return value?.it;
}
