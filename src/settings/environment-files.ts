import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { claudeConfigDir } from './claude-config-dir.ts';
import { parseClaudeSettings } from './claude-settings.ts';
import { parseDotenv } from './dotenv.ts';
import type { Environment } from './environment.ts';

/** Where variables are looked for. */
export interface EnvironmentPlaces {
  /** Usually `process.env`; wins over every file. */
  readonly processEnv: Environment;
  /** Holds `./.env`. */
  readonly cwd: string;
  /** The user's home directory. */
  readonly home: string;
}

/** The variables of a run and where each came from. */
export interface LoadedEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** For each variable `process`, or the path of its file. */
  readonly sources: Readonly<Record<string, string>>;
  /** Files that were asked for (`FLOWER_ENV`) or exist, but could not be read. */
  readonly unreadable: readonly string[];
}

type Values = Iterable<readonly [string, string | undefined]>;

/**
 * Collects the environment, key by key; the first place that names a key wins, even with an empty
 * value.
 *
 * Places, in order: the process environment, the file named by `FLOWER_ENV`, `./.env`,
 * `${XDG_CONFIG_HOME:-~/.config}/flower/.env`, then `settings.json` and `settings.local.json` of
 * Claude Code, of which only the known names with a value count. Changes nothing, prints nothing;
 * a missing or broken file never throws.
 */
export function loadEnvironment({ processEnv, cwd, home }: EnvironmentPlaces): LoadedEnvironment {
  const env = new Map<string, string>();
  const sources = new Map<string, string>();
  const unreadable: string[] = [];
  const claim = (values: Values, source: string): void => {
    for (const [name, value] of values) {
      if (value === undefined || env.has(name)) continue;
      env.set(name, value);
      sources.set(name, source);
    }
  };
  const claimFile = (path: string, parse: (text: string) => Values): void => {
    const text = readText(path);
    if (typeof text === 'string') claim(parse(text), path);
    else if (text.code !== 'ENOENT' || path === named) unreadable.push(path);
  };

  const named = namedFile(processEnv, cwd);
  claim(Object.entries(processEnv), 'process');
  if (named !== null) claimFile(named, parseDotenv);
  claimFile(join(cwd, '.env'), parseDotenv);
  claimFile(userFile(processEnv, home), parseDotenv);
  const claudeDir = claudeConfigDir(Object.fromEntries(env), home);
  claimFile(join(claudeDir, 'settings.json'), parseClaudeSettings);
  claimFile(join(claudeDir, 'settings.local.json'), parseClaudeSettings);
  return { env: Object.fromEntries(env), sources: Object.fromEntries(sources), unreadable };
}

/**
 * The user's own `.env` file of flower, which `flower setup` writes.
 *
 * @returns `${XDG_CONFIG_HOME:-~/.config}/flower/.env`; a relative `XDG_CONFIG_HOME` is ignored.
 */
export function userFile(env: Environment, home: string): string {
  const configHome = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configHome) ? configHome : join(home, '.config'), 'flower', '.env');
}

function namedFile(env: Environment, cwd: string): string | null {
  const path = env['FLOWER_ENV'];
  return path === undefined || path === '' ? null : resolve(cwd, path);
}

function readText(path: string): string | { readonly code: unknown } {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? error.code : undefined };
  }
}
