import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../src/testing/index.ts';
import { type BuiltCall, builtFlower } from './support/built-command.ts';
import { processesWith } from './support/processes.ts';
import { until } from './support/until.ts';

const secret = 'sk-ant-of-the-person-who-tries-it';
/** What the person has: must neither be used nor be found anywhere afterwards. */
const credentials = { ANTHROPIC_API_KEY: secret, CLAUDE_CODE_OAUTH_TOKEN: secret };

let home: TestHome;
let call: BuiltCall | undefined;

beforeEach(async () => {
  home = await createTestHome({});
  mkdirSync(home.configDir, { recursive: true });
  const settings = { env: { ANTHROPIC_AUTH_TOKEN: secret } };
  writeFileSync(join(home.configDir, 'settings.json'), JSON.stringify(settings));
});

afterEach(async () => {
  call?.kill('SIGTERM');
  await call?.ended;
  await home.dispose();
});

function demo(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): BuiltCall {
  call = builtFlower(['demo', ...args], { cwd: home.workspace, env: { ...home.env, ...env } });
  return call;
}

/** The one project that the demo made in the temporary folder of the test. */
function folder(): string {
  const found = readdirSync(home.temporary).filter((name) => name.startsWith('flower-demo-'));
  expect(found).toHaveLength(1);
  return join(home.temporary, found[0] ?? '');
}

/** Processes that the demo's commands started, directly or not; each has the project's home. */
function processes(): readonly unknown[] {
  return processesWith('HOME', join(folder(), 'home'));
}

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

describe('flower demo', () => {
  it('is killed, wakes and proves its claims within 30 seconds', async () => {
    const { exitCode, stdout, stderr } = await demo(['--json'], credentials).ended;
    expect([exitCode, stderr]).toEqual([0, '']);
    const facts: unknown = JSON.parse(stdout);
    expect(facts).toMatchObject({
      ok: true,
      cut: { outcome: 'unfinished', passed: ['read'], unfinished: ['make'], left: [] },
      wake: { exitCode: 0, outcome: 'finished', woke: 2 },
      readRequests: { before: 2, inAll: 2 },
      deliveries: 1,
      gate: { rows: ['verify', 'verify#round2'], printed: '6', words: 6 },
    });
    expect((facts as { durationMs: number }).durationMs).toBeLessThan(30_000);
    expect(processes()).toEqual([]);
    expect(readFileSync(join(folder(), 'project', 'tally.sh'), 'utf8')).toContain('wc -w');
    const leaks = filesOf(folder()).filter((file) => readFileSync(file).includes(secret));
    expect(leaks).toEqual([]);
  });

  it('tells its story in the language of the reader', async () => {
    const { exitCode, stdout } = await demo(['--lang', 'ru']).ended;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Подтверждено всё, пунктов: 10/);
    expect(stdout).toContain(folder());
    expect(stdout.match(/^\$ flower run flow\.ts:main/gm)).toHaveLength(2);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s in mid-run ends it with %i and leaves no process', async (signal, exitCode) => {
    const { ended, printed, kill } = demo();
    await until('the agent of the first run', () => {
      return printed.stdout.includes('$ flower run') && processes().length >= 2;
    });
    kill(signal);
    expect((await ended).exitCode).toBe(exitCode);
    await until('the end of every process', () => processes().length === 0, 3_000);
  });
});
