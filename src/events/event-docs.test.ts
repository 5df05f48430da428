import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs', 'events.md'), 'utf8');
const eventFile = join(import.meta.dirname, 'event.ts');
const sampleFile = join(import.meta.dirname, 'event-docs-lines.ts');

/** On every event, so not listed again. */
const envelope = ['v', 'at', 'run'];

const lines = (/^```json\n([\s\S]*?)\n```$/m.exec(page)?.[1] ?? '').split('\n');
/** What the page shows, as a source: the compiler then says whether it is an event. */
const sample =
  "import type { FlowerEvent } from './event.ts';\n" +
  `export const shown: FlowerEvent[] = [\n${lines.join(',\n')},\n];\n`;
const program = createProgram();
const types = readTypes();

describe('docs/events.md', () => {
  it('has one row for each event type, and no other', () => {
    expect(
      rowsOf('type')
        .map(([type]) => type)
        .sort(),
    ).toEqual([...types.events.keys()].sort());
  });

  it.each([...types.events])('names each field of %s', (type, fields) => {
    const row = rowsOf('type').find(([first]) => first === type);
    expect(codesIn(row?.[1] ?? '').sort()).toEqual([...fields].sort());
  });

  it('has an example line for each event type', () => {
    const shown = lines.map((line) => String((JSON.parse(line) as { type: unknown }).type));
    expect([...new Set(shown)].sort()).toEqual([...types.events.keys()].sort());
  });

  it('shows lines that are events to the compiler', () => {
    const messages = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(sampleFile))
      .map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'));
    expect(messages).toEqual([]);
  });

  it('has one row for each alarm and each notice', () => {
    expect(
      rowsOf('alarm')
        .map(([code]) => code)
        .sort(),
    ).toEqual([...types.alarms].sort());
    expect(
      rowsOf('notice')
        .map(([code]) => code)
        .sort(),
    ).toEqual([...types.notices].sort());
  });
});

/** Rows of the table whose first column has this title: its code, then the other cells. */
function rowsOf(title: string): (readonly string[])[] {
  const table = new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(page);
  return (table?.[1] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, first = '', ...rest]) => [first.replaceAll('`', ''), ...rest]);
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

/** Event types with their fields (`name?` when it may be absent), and the codes of the unions. */
function readTypes(): {
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly alarms: readonly string[];
  readonly notices: readonly string[];
} {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(eventFile);
  const aliasOf = (name: string): readonly ts.Type[] => {
    const alias = source?.statements.find(
      (it) => ts.isTypeAliasDeclaration(it) && it.name.text === name,
    );
    if (alias === undefined) throw new Error(`event.ts has no type ${name}.`);
    const type = checker.getTypeAtLocation(alias);
    return type.isUnion() ? type.types : [type];
  };
  const textOf = (type: ts.Type | undefined): string =>
    type?.isStringLiteral() === true ? type.value : '';
  const typeOf = (event: ts.Type): string =>
    textOf(checker.getTypeOfSymbol(event.getProperty('type') ?? never('type')));
  const fieldsOf = (event: ts.Type): string[] =>
    checker
      .getPropertiesOfType(event)
      .filter(({ name }) => name !== 'type' && !envelope.includes(name))
      .map(({ name, flags }) => ((flags & ts.SymbolFlags.Optional) === 0 ? name : `${name}?`));
  return {
    events: new Map(aliasOf('FlowerEventBody').map((it) => [typeOf(it), fieldsOf(it)])),
    alarms: aliasOf('AlarmCode').map(textOf),
    notices: aliasOf('NoticeCode').map(textOf),
  };
}

function never(what: string): never {
  throw new Error(`An event has no ${what}.`);
}

function createProgram(): ts.Program {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, types: [] });
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => path === sampleFile || fileExists(path);
  host.readFile = (path) => (path === sampleFile ? sample : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === sampleFile
      ? ts.createSourceFile(path, sample, ts.ScriptTarget.ES2023)
      : getSourceFile(path, ...rest);
  return ts.createProgram([eventFile, sampleFile], { ...options, types: [] }, host);
}
