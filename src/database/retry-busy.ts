import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './sqlite-errors.ts';

const attempts = 3;
const pauseMs = 100;

/**
 * Runs database work again when the lock was not to be had, three times in all.
 *
 * Each try has waited for the connection's busy timeout already (10 s by default), which blocks the
 * thread; the pauses between let the process breathe.
 *
 * @throws the last busy error; any other error of `work` at once.
 */
export async function retryWhileBusy<Result>(work: () => Result): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (attempt >= attempts || !isBusy(error)) throw error;
    }
    await delay(pauseMs * attempt);
  }
}
