import { describe, expect, it } from 'vitest';
import type { Environment } from '../settings/environment.ts';
import { endpointOf } from './endpoint.ts';

const proxy = 'http://proxy.corp:3128';
const viaProxy = { host: 'proxy.corp', port: 3128, viaProxy: true };
const bedrock = { CLAUDE_CODE_USE_BEDROCK: '1' };
const vertex = { CLAUDE_CODE_USE_VERTEX: 'true' };

function direct(host: string, port = 443): object {
  return { host, port, viaProxy: false };
}

describe('endpointOf', () => {
  it.each<[Environment, object | null]>([
    [{}, direct('api.anthropic.com')],
    [{ ANTHROPIC_BASE_URL: '' }, direct('api.anthropic.com')],
    [{ ANTHROPIC_BASE_URL: 'https://gateway.corp/anthropic' }, direct('gateway.corp')],
    [{ ANTHROPIC_BASE_URL: 'http://gateway.corp' }, direct('gateway.corp', 80)],
    [{ ANTHROPIC_BASE_URL: 'gateway.corp:8443/v' }, direct('gateway.corp', 8443)],
    [{ ANTHROPIC_BASE_URL: 'gateway.corp' }, direct('gateway.corp')],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:11434' }, direct('127.0.0.1', 11434)],
    [{ ANTHROPIC_BASE_URL: 'http://[::1]:8080' }, direct('::1', 8080)],
    [{ ANTHROPIC_BASE_URL: 'http://' }, null],
    [{ ANTHROPIC_BASE_URL: 'ftp://gateway.corp' }, null],
    [{ ...bedrock, AWS_REGION: 'eu-west-1' }, direct('bedrock-runtime.eu-west-1.amazonaws.com')],
    [
      { ...bedrock, AWS_REGION: 'us-gov-west-1' },
      direct('bedrock-runtime-fips.us-gov-west-1.amazonaws.com'),
    ],
    [{ ...bedrock, ANTHROPIC_BEDROCK_BASE_URL: 'https://b.corp' }, direct('b.corp')],
    [{ ...bedrock, ANTHROPIC_BASE_URL: 'https://gateway.corp' }, null],
    [{ CLAUDE_CODE_USE_BEDROCK: '0' }, direct('api.anthropic.com')],
    [{ ...vertex, CLOUD_ML_REGION: 'us-east5' }, direct('us-east5-aiplatform.googleapis.com')],
    [{ ...vertex, CLOUD_ML_REGION: 'global' }, direct('aiplatform.googleapis.com')],
    [{ ...vertex, CLOUD_ML_REGION: 'eu' }, direct('aiplatform.eu.rep.googleapis.com')],
    [vertex, null],
    [
      { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_RESOURCE: 'res' },
      direct('res.services.ai.azure.com'),
    ],
    [{ HTTPS_PROXY: proxy }, viaProxy],
    [{ https_proxy: 'proxy.corp:3128' }, viaProxy],
    [{ HTTPS_PROXY: 'http://user:pass@proxy.corp:3128' }, viaProxy],
    [{ ALL_PROXY: 'socks5h://proxy.corp' }, { ...viaProxy, port: 1080 }],
    [{ HTTPS_PROXY: 'https://proxy.corp' }, { ...viaProxy, port: 443 }],
    [{ HTTP_PROXY: proxy }, direct('api.anthropic.com')],
    [{ ANTHROPIC_BASE_URL: 'http://gateway.corp', http_proxy: proxy }, viaProxy],
    [{ ...bedrock, AWS_REGION: 'eu-west-1', HTTPS_PROXY: proxy }, viaProxy],
    [{ HTTPS_PROXY: proxy, NO_PROXY: '*' }, direct('api.anthropic.com')],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'corp, .anthropic.com' }, direct('api.anthropic.com')],
    [{ HTTPS_PROXY: proxy, no_proxy: 'anthropic.com' }, direct('api.anthropic.com')],
    [{ HTTPS_PROXY: proxy, NO_PROXY: '*.anthropic.com:443' }, direct('api.anthropic.com')],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'api.anthropic.com:8443' }, viaProxy],
    [{ HTTPS_PROXY: proxy, NO_PROXY: 'thropic.com' }, viaProxy],
    [{ HTTPS_PROXY: 'http://' }, direct('api.anthropic.com')],
  ])('%o gives %o', (env, expected) => {
    expect(endpointOf(env)).toEqual(expected);
  });
});
