import { describe, expect, it } from 'vitest';
import { main } from './main.ts';
import { createTestHost } from './test-host.test-support.ts';

async function call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const host = createTestHost(args);
  const code = await main(host);
  return { code, ...host.printed };
}

describe('flower', () => {
  it.each([
    ['without arguments', []],
    ['with a flag only', ['-v']],
    ['with --help', ['--help']],
    ['with help', ['help']],
  ])('%s prints help on stdout', async (_name, args) => {
    const { code, stdout, stderr } = await call(...args);
    expect(code).toBe(0);
    expect(stdout.match(/Usage: flower \[options\] <command>/g)).toHaveLength(1);
    expect(stderr).toBe('');
  });

  it('prints its version', async () => {
    const { code, stdout } = await call('--version');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it.each([
    ['run', '--fresh <step>'],
    ['once', '--permission-mode <mode>'],
    ['status', '--json'],
    ['demo', '--workspace <dir>'],
  ])('%s --help names its flags and the global ones', async (command, flag) => {
    const { code, stdout } = await call(command, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(flag);
    expect(stdout).toContain('Global options:');
  });

  it('prints the help of a command once', async () => {
    const { stdout } = await call('help', 'run');
    expect(stdout.match(/Usage:/g)).toHaveLength(1);
  });

  it.each([
    [['rn'], 'flower: Unknown command "rn". Did you mean run?'],
    [['run', 'f:x', '--frm', 'a'], 'flower: Unknown option --frm. Did you mean --from?'],
    [['run', 'f:x', '--zzzz'], 'flower: Unknown option --zzzz.'],
    [['run'], 'flower: The argument <target> is missing.'],
    [['run', 'f:x', 'y'], 'flower: Too many arguments. Put a text with spaces in quotes.'],
    [['-w'], 'flower: The option --workspace needs a value.'],
    [
      ['run', 'f:x', '--from', 'a', '--only', 'b'],
      'flower: --only cannot be used together with --from.',
    ],
    [['--lang', 'xx'], 'flower: --lang is "xx"; it must be en, zh or ru.'],
    [['once', 'x', '--fork'], 'flower: --fork needs --resume.'],
    [['once', 'x', '--at', 'u'], 'flower: --at needs --resume.'],
    [['once', 'x', '-b', '0'], /--budget is "0"; it must be an amount in US dollars/],
    [['once', 'x', '-p', 'root'], /--permission-mode is "root"; it must be default/],
    [['run', 'f:x', '--model', ' '], /--model is " "; it must be a name/],
    [['run', 'nocolon'], /"nocolon" names no attribute/],
    [['run', './none.ts:main'], /none\.ts does not exist/],
    [['once', ''], 'flower: The prompt is empty.'],
    [['once', '-'], 'flower: The prompt is empty.'],
    [['once', '@none.txt'], /none\.txt cannot be read/],
    [['run', 'x:\u001b[31my\nz', '-w', '/none'], /^flower: \P{Cc}*$/u],
  ])('%j is wrong use: one line on stderr, exit 2', async (args, line) => {
    const { code, stdout, stderr } = await call(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toHaveLength(2);
    const expected = typeof line === 'string' ? line : expect.stringMatching(line);
    expect(stderr.trimEnd()).toEqual(expected);
  });

  it('speaks Chinese and Russian', async () => {
    expect((await call('rn', '--lang', 'zh')).stderr).toBe('flower: 未知命令 “rn”。是不是 run？\n');
    expect((await call('--lang=ru', 'rn')).stderr).toBe(
      'flower: Неизвестная команда «rn». Может быть, run?\n',
    );
  });

  it('says in one line that Windows is not supported', async () => {
    const host = createTestHost(['status'], { platform: 'win32' });
    expect(await main(host)).toBe(1);
    expect(host.printed.stderr).toMatch(/^flower: .*WSL\.\n$/);
  });
});
