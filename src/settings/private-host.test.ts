import { describe, expect, it } from 'vitest';
import { isPrivateHost } from './private-host.ts';

describe('isPrivateHost', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '[::1]',
    'fd12::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    'ollama',
    'mac.local',
    'mac.local.',
    'host.docker.internal',
  ])('%s is private', (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  it.each([
    'api.anthropic.com',
    '8.8.8.8',
    '172.32.0.1',
    '11.0.0.1',
    '2607:6bc0::10',
    'localhost.example.com',
    'notlocal.com',
    '',
  ])('%j is not', (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});
