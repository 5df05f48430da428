import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { acquireProcessLock } from '../process-lock.ts';

/** Says who it is, takes the lock when told, says how that went, and holds it until told again. */
export async function run(path: string): Promise<void> {
  const bystander = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)'], {
    stdio: 'ignore',
    detached: true,
  });
  process.send?.(bystander.pid);
  await once(process, 'message');
  const self = { pid: process.pid, since: '2026-01-02T03:04:05.000Z', what: 'flow "night"' };
  const result = acquireProcessLock(path, self);
  process.send?.('holder' in result ? result.holder : 'held');
  await once(process, 'message');
  if (!('holder' in result)) result.release();
  bystander.kill('SIGKILL');
  process.disconnect();
}
