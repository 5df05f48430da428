import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 10;

/**
 * Waits until `look` finds something, and returns it.
 *
 * @param what - Named in the error.
 * @throws when nothing was found within `timeoutMs` (40 s by default).
 */
export async function until<Found>(
  what: string,
  look: () => Found | undefined | false,
  timeoutMs = 40_000,
): Promise<Found> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await delay(pollMs);
  }
}
