import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 1000;
const staleAfterMs = 10_000;

/**
 * Runs `action` while no other process holds the lock file.
 *
 * The holder touches the file every second. A waiter takes over when it has watched the same touch
 * for ten seconds: a pid says nothing across containers, and a clock may have slept.
 */
export async function withSetupLock(path, say, action) {
  const release = await acquire(path, say);
  process.on('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  try {
    return await action();
  } finally {
    release();
  }
}

async function acquire(path, say) {
  const token = `${process.pid} ${Math.random()}`;
  let seen = { touchedMs: 0, sinceMs: 0 };
  let hasSpoken = false;
  for (;;) {
    if (await create(path, token)) return holdOf(path, token);
    if (!hasSpoken) say('another setup is at work here; waiting for it.');
    hasSpoken = true;
    const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (touchedMs !== seen.touchedMs) seen = { touchedMs, sinceMs: performance.now() };
    if (performance.now() - seen.sinceMs > staleAfterMs) rmSync(path, { force: true });
    await sleep(250);
  }
}

async function create(path, token) {
  try {
    writeFileSync(path, token, { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  // Two waiters may take a stale lock over in the same instant; the second one's file is the lock.
  await sleep(100);
  return holds(path, token);
}

function holdOf(path, token) {
  const beat = setInterval(() => {
    if (holds(path, token)) utimesSync(path, new Date(), new Date());
  }, beatMs);
  beat.unref();
  return () => {
    clearInterval(beat);
    if (holds(path, token)) rmSync(path, { force: true });
  };
}

function holds(path, token) {
  try {
    return readFileSync(path, 'utf8') === token;
  } catch {
    return false;
  }
}
