import { BlockList, isIP } from 'node:net';

const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv6');
}

const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|lan|home\.arpa|internal)$/;

/**
 * Says whether a host is this machine or on a private network, judged by its name alone.
 *
 * Loopback and private addresses, `localhost`, `.local`, `.lan`, `.internal`, and names without a
 * dot (a container's neighbour). Nothing is resolved.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const family = isIP(host);
  if (family !== 0) return privateAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
  return host !== '' && (!host.includes('.') || PRIVATE_NAME.test(host));
}
