import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodes } from './exit-codes.ts';
import { en } from './locales/en.ts';
import { createProgram } from './program.ts';
import { createTestHost } from './test-host.test-support.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'command-line.md'), 'utf8');
const program = createProgram(createTestHost([]), en, { exitCode: 0 });
const commands = program.commands.flatMap((command) => pathsOf(command, 'flower'));

describe('docs/command-line.md', () => {
  it('lists every command, and no other', () => {
    const usages = commands.map(([path, command]) => [path, ...argumentsOf(command)].join(' '));
    const listed = [...page.matchAll(/^\| \[?`(flower [^`]+)`/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(usages.sort());
  });

  it('has each global flag as the program has it, and no other', () => {
    const version = '-V, --version';
    const flags = [...flagsOf(program).filter((flag) => flag !== version), version, '-h, --help'];
    expect(flagsIn(sectionOf('Global flags')).sort()).toEqual(flags.sort());
  });

  it.each(commands.filter(([path]) => path !== 'flower demo'))(
    'has each flag of %s as the program has it, and no other',
    (path, command) => {
      expect(flagsIn(sectionOf(path)).sort()).toEqual(flagsOf(command).sort());
    },
  );

  it('explains every exit code, and no other', () => {
    const codes = [...sectionOf('Exit codes').matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code);
    expect(codes.map(Number)).toEqual(Object.values(exitCodes).sort((a, b) => a - b));
  });
});

/** The commands that do something, with the words that call them. */
function pathsOf(command: Command, parent: string): [string, Command][] {
  const path = `${parent} ${command.name()}`;
  if (command.commands.length === 0) return [[path, command]];
  return command.commands.flatMap((child) => pathsOf(child, path));
}

function argumentsOf(command: Command): string[] {
  return command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
}

function flagsOf(command: Command): string[] {
  return command.options.map(({ flags }) => flags);
}

function sectionOf(title: string): string {
  const [, section] = page.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`The page has no section "${title}".`);
  return section.split('\n## ')[0] ?? '';
}

/** Code in the first cells of the section's table. */
function flagsIn(section: string): string[] {
  const cells = [...section.matchAll(/^\| (`-.*?`) \|/gm)].map((match) => match[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}
