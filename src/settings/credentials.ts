import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { claudeConfigDir } from './claude-config-dir.ts';
import type { Environment } from './environment.ts';
import { isPrivateHost } from './private-host.ts';
import { isTruthy } from './is-truthy.ts';

/** With what an agent process will authenticate. Never holds the secret itself. */
export type Credentials =
  | { readonly kind: 'api-key'; readonly variable: string }
  | { readonly kind: 'auth-token'; readonly variable: string }
  | {
      readonly kind: 'claude-login';
      readonly path: string;
      /** False where only the account is known and its key is out of sight (macOS keychain). */
      readonly certain: boolean;
    }
  | { readonly kind: 'cloud'; readonly provider: CloudProvider }
  /** A model on this machine or network, which needs no real key. */
  | { readonly kind: 'local'; readonly host: string };

/** Clouds that bring credentials of their own. */
export type CloudProvider = 'bedrock' | 'vertex' | 'foundry' | 'aws' | 'google-cloud';

/** Where a login is looked for. */
export interface CredentialPlaces {
  /** The user's home directory. */
  readonly home: string;
  /** @defaultValue process.platform */
  readonly platform?: NodeJS.Platform;
}

const CLOUD_FLAGS: readonly (readonly [string, CloudProvider])[] = [
  ['CLAUDE_CODE_USE_BEDROCK', 'bedrock'],
  ['CLAUDE_CODE_USE_MANTLE', 'bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'vertex'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'foundry'],
  ['CLAUDE_CODE_USE_ANTHROPIC_AWS', 'aws'],
  ['CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD', 'google-cloud'],
];

/**
 * Finds credentials without using them: nothing is contacted, no keychain opened, no secret returned.
 *
 * A private base URL comes before the login of Claude Code, whose token is not for such a host.
 *
 * @param env - As `loadEnvironment` gives it.
 * @returns `null` when there are none.
 */
export function findCredentials(env: Environment, places: CredentialPlaces): Credentials | null {
  return fromCloud(env) ?? fromVariables(env) ?? fromLocalHost(env) ?? fromLogin(env, places);
}

function fromCloud(env: Environment): Credentials | null {
  const provider = CLOUD_FLAGS.find(([flag]) => isTruthy(env[flag]))?.[1];
  return provider === undefined ? null : { kind: 'cloud', provider };
}

function fromVariables(env: Environment): Credentials | null {
  if (isSet(env, 'ANTHROPIC_API_KEY')) return { kind: 'api-key', variable: 'ANTHROPIC_API_KEY' };
  const tokens = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const variable = tokens.find((name) => isSet(env, name));
  return variable === undefined ? null : { kind: 'auth-token', variable };
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '').trim() !== '';
}

function fromLocalHost(env: Environment): Credentials | null {
  const base = env['ANTHROPIC_BASE_URL']?.trim() ?? '';
  const full = base.includes('://') ? base : `http://${base}`;
  if (base === '' || !URL.canParse(full)) return null;
  const { hostname } = new URL(full);
  return isPrivateHost(hostname) ? { kind: 'local', host: hostname } : null;
}

const loginSchema = z.object({ claudeAiOauth: z.object({ accessToken: z.string().min(1) }) });
const accountSchema = z.object({ oauthAccount: z.object({}) });

function fromLogin(env: Environment, places: CredentialPlaces): Credentials | null {
  const configDir = claudeConfigDir(env, places.home);
  const path = join(configDir, '.credentials.json');
  if (loginSchema.safeParse(readJson(path)).success) {
    return { kind: 'claude-login', path, certain: true };
  }
  if ((places.platform ?? process.platform) !== 'darwin') return null;
  const isDefaultDir = configDir === join(places.home, '.claude');
  const account = join(isDefaultDir ? dirname(configDir) : configDir, '.claude.json');
  if (!accountSchema.safeParse(readJson(account)).success) return null;
  return { kind: 'claude-login', path: account, certain: false };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
