import type { Lease } from '../continuity/leases.ts';
import { FlowerError } from '../errors/flower-error.ts';
import type { RuntimeParts } from './runtime-parts.ts';

/**
 * Takes a lease of the run directory.
 *
 * @throws FlowerError `busy` when another process has it.
 */
export function takeLease(parts: Pick<RuntimeParts, 'leases'>, name: string): Lease {
  const lease = parts.leases.acquire(name);
  if (!('holder' in lease)) return lease;
  throw new FlowerError('busy', { what: name, ...lease.holder });
}
