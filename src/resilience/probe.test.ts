import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { ManualClock } from './manual-clock.test-support.ts';
import { isReachable, waitUntilReachable } from './probe.ts';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(close));
});

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

function listen(port = 0): Promise<{ readonly server: Server; readonly endpoint: Endpoint }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      servers.push(server);
      const address = server.address();
      const used = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ server, endpoint: { host: '127.0.0.1', port: used, viaProxy: false } });
    });
  });
}

async function closedEndpoint(): Promise<Endpoint> {
  const { server, endpoint } = await listen();
  await close(server);
  servers.splice(servers.indexOf(server), 1);
  return endpoint;
}

describe('isReachable', () => {
  it('shakes hands and sends nothing', async () => {
    const { server, endpoint } = await listen();
    const received = new Promise<number>((resolve) => {
      server.once('connection', (socket: Socket) => {
        socket.resume().on('error', () => undefined);
        socket.once('close', () => resolve(socket.bytesRead));
      });
    });
    expect(await isReachable(endpoint, { timeoutMs: 5000 })).toBe(true);
    expect(await received).toBe(0);
  });

  it('resolves a name', async () => {
    const { endpoint } = await listen();
    expect(await isReachable({ ...endpoint, host: 'localhost' }, { timeoutMs: 5000 })).toBe(true);
  });

  it('is false for a port that nobody listens on', async () => {
    expect(await isReachable(await closedEndpoint(), { timeoutMs: 5000 })).toBe(false);
  });

  it('is false for what is no address at all', async () => {
    const broken = { host: '127.0.0.1', port: 70_000, viaProxy: false };
    expect(await isReachable(broken, { timeoutMs: 5000 })).toBe(false);
  });

  it('is false when aborted', async () => {
    const { endpoint } = await listen();
    const signal = AbortSignal.abort();
    expect(await isReachable(endpoint, { timeoutMs: 5000, signal })).toBe(false);
  });

  it('is true for an endpoint that cannot be probed', async () => {
    expect(await isReachable(null, { timeoutMs: 1 })).toBe(true);
  });
});

describe('waitUntilReachable', () => {
  const options = { probeTimeoutMs: 5000, probeIntervalMs: 15_000, maxOfflineWaitMs: 60_000 };
  const middle = (): number => 0.5;

  it('does not wait while the endpoint answers', async () => {
    const { endpoint } = await listen();
    const clock = new ManualClock({ autoAdvance: true });
    const told: string[] = [];
    const result = await waitUntilReachable(endpoint, options, {
      clock,
      onOffline: () => told.push('offline'),
      onOnline: () => told.push('online'),
    });
    expect(result).toEqual({ ok: true, waitedMs: 0 });
    expect({ slept: clock.sleptMs, told }).toEqual({ slept: [], told: [] });
  });

  it('goes on when the server comes back, and tells each change once', async () => {
    const endpoint = await closedEndpoint();
    const clock = new ManualClock();
    const told: string[] = [];
    const waiting = waitUntilReachable(endpoint, options, {
      clock,
      random: middle,
      onOffline: () => told.push('offline'),
      onOnline: (waitedMs) => told.push(`online after ${waitedMs}`),
    });
    for (const _round of [1, 2]) {
      await expect.poll(() => clock.sleeping).toBe(1);
      clock.advance(15_000);
    }
    await expect.poll(() => clock.sleeping).toBe(1);
    await listen(endpoint.port);
    clock.advance(15_000);
    expect(await waiting).toEqual({ ok: true, waitedMs: 45_000 });
    expect(told).toEqual(['offline', 'online after 45000']);
  });

  it('gives up at the limit, after a last probe there', async () => {
    const clock = new ManualClock({ autoAdvance: true });
    const result = await waitUntilReachable(
      await closedEndpoint(),
      { ...options, maxOfflineWaitMs: 40_000 },
      { clock, random: middle },
    );
    expect(result).toEqual({ ok: false, waitedMs: 40_000 });
    expect(clock.sleptMs).toEqual([15_000, 15_000, 10_000]);
  });

  it('spreads the probes', async () => {
    const numbers = [0, 0.999, 0.5, 0.5];
    const clock = new ManualClock({ autoAdvance: true });
    await waitUntilReachable(await closedEndpoint(), options, {
      clock,
      random: () => numbers.shift() ?? 0.5,
    });
    expect(clock.sleptMs[0]).toBe(11_250);
    expect(clock.sleptMs[1]).toBeCloseTo(18_742.5);
  });

  it('rejects when it is aborted while it waits', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const waiting = waitUntilReachable(await closedEndpoint(), options, {
      clock,
      signal: stop.signal,
    });
    const outcome = waiting.catch((error: unknown) => error);
    await expect.poll(() => clock.sleeping).toBe(1);
    stop.abort();
    expect(await outcome).toBeInstanceOf(Error);
  });

  it('takes an endpoint that cannot be probed as reachable', async () => {
    expect(await waitUntilReachable(null, options)).toMatchObject({ ok: true });
  });
});
