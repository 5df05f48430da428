import type { Environment } from '../settings/environment.ts';

const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks:': 1080,
  'socks4:': 1080,
  'socks4a:': 1080,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/** The variables that name a proxy, the first that is set wins. */
const HTTPS_NAMES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
const HTTP_NAMES = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

/**
 * Finds the proxy through which a URL is reached.
 *
 * @returns `null` when it is reached directly: no proxy is set, `NO_PROXY` exempts the host, or the
 *   proxy's address cannot be read.
 */
export function proxyFor(
  target: URL,
  env: Environment,
): { readonly host: string; readonly port: number } | null {
  const names = target.protocol === 'http:' ? HTTP_NAMES : HTTPS_NAMES;
  const value = names
    .map((name) => env[name]?.trim())
    .find((one) => one !== undefined && one !== '');
  if (value === undefined || isExempt(target, env)) return null;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  const port = url.port === '' ? PORTS[url.protocol] : Number(url.port);
  const host = bare(url.hostname);
  return port === undefined || host === '' ? null : { host, port };
}

function isExempt(target: URL, env: Environment): boolean {
  const host = bare(target.hostname).toLowerCase();
  const port = target.port === '' ? PORTS[target.protocol] : Number(target.port);
  return `${env['no_proxy'] ?? ''},${env['NO_PROXY'] ?? ''}`
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .some((rule) => matches(rule, host, port));
}

/** `*`, a host, a domain with all below it (`.corp`, `*.corp`, `corp`), each with or without port. */
function matches(rule: string, host: string, port: number | undefined): boolean {
  if (rule === '*') return true;
  const withPort = /^(?<name>\[[^\]]+\]|[^:]+):(?<port>\d+)$/.exec(rule)?.groups;
  if (withPort !== undefined && Number(withPort['port']) !== port) return false;
  const name = bare(withPort?.['name'] ?? rule).replace(/^\*?\./, '');
  return host === name || host.endsWith(`.${name}`);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
