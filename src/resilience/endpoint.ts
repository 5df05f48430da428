import type { Environment } from '../settings/environment.ts';
import { isTruthy } from '../settings/is-truthy.ts';
import { proxyFor } from './proxy.ts';

/** Where a TCP handshake tells whether the model can be reached. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** True when the host is the proxy that stands before the model. */
  readonly viaProxy: boolean;
}

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/**
 * Finds what to probe before a retry: the gateway, cloud or proxy that the agent process would use.
 *
 * @returns `null` when it cannot be told (a cloud without a region, a broken URL): not to be probed
 *   and to be taken as reachable.
 */
export function endpointOf(env: Environment): Endpoint | null {
  const url = parseUrl(baseUrlOf(env));
  if (url === null) return null;
  const proxy = proxyFor(url, env);
  if (proxy !== null) return { ...proxy, viaProxy: true };
  return { host: hostOf(url), port: portOf(url), viaProxy: false };
}

/** Reads a URL whose scheme may be left out; `https` then. */
function parseUrl(text: string | null): URL | null {
  if (text === null) return null;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

interface Cloud {
  readonly flag: string;
  readonly baseUrl: string;
  readonly host: (env: Environment) => string | null;
}

const CLOUDS: readonly Cloud[] = [
  { flag: 'CLAUDE_CODE_USE_BEDROCK', baseUrl: 'ANTHROPIC_BEDROCK_BASE_URL', host: bedrockHost },
  {
    flag: 'CLAUDE_CODE_USE_MANTLE',
    baseUrl: 'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
    host: mantleHost,
  },
  { flag: 'CLAUDE_CODE_USE_ANTHROPIC_AWS', baseUrl: 'ANTHROPIC_AWS_BASE_URL', host: () => null },
  { flag: 'CLAUDE_CODE_USE_VERTEX', baseUrl: 'ANTHROPIC_VERTEX_BASE_URL', host: vertexHost },
  {
    flag: 'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
    baseUrl: 'ANTHROPIC_GOOGLE_CLOUD_BASE_URL',
    host: () => null,
  },
  { flag: 'CLAUDE_CODE_USE_FOUNDRY', baseUrl: 'ANTHROPIC_FOUNDRY_BASE_URL', host: foundryHost },
];

function baseUrlOf(env: Environment): string | null {
  const cloud = CLOUDS.find(({ flag }) => isTruthy(env[flag]));
  if (cloud === undefined) return textOf(env, 'ANTHROPIC_BASE_URL') ?? DEFAULT_BASE_URL;
  return textOf(env, cloud.baseUrl) ?? cloud.host(env);
}

function bedrockHost(env: Environment): string | null {
  const region = awsRegion(env);
  if (region === null) return null;
  const service = region.startsWith('us-gov-') ? 'bedrock-runtime-fips' : 'bedrock-runtime';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `${service}.${region}.${domain}`;
}

function mantleHost(env: Environment): string | null {
  const region = awsRegion(env);
  return region === null ? null : `bedrock-mantle.${region}.api.aws`;
}

function vertexHost(env: Environment): string | null {
  const region = textOf(env, 'CLOUD_ML_REGION');
  if (region === null) return null;
  if (region === 'global') return 'aiplatform.googleapis.com';
  if (region === 'eu' || region === 'us') return `aiplatform.${region}.rep.googleapis.com`;
  return `${region}-aiplatform.googleapis.com`;
}

function foundryHost(env: Environment): string | null {
  const resource = textOf(env, 'ANTHROPIC_FOUNDRY_RESOURCE');
  return resource === null ? null : `${resource}.services.ai.azure.com`;
}

function awsRegion(env: Environment): string | null {
  return (
    textOf(env, 'ANTHROPIC_BEDROCK_REGION') ??
    textOf(env, 'AWS_REGION') ??
    textOf(env, 'AWS_DEFAULT_REGION')
  );
}

function textOf(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}
