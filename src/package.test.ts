import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorMessages } from './errors/error-messages.ts';

const root = dirname(import.meta.dirname);
const manifest = z
  .object({
    exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
    bin: z.record(z.string(), z.string()),
    files: z.array(z.string()),
  })
  .parse(JSON.parse(read('package.json')));

const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [[name, target] as const],
);
const documents = ['README.md', 'ARCHITECTURE.md', ...markdownOf('docs')];
const samples = documents.flatMap((path) => samplesOf(path));

describe('package.json', () => {
  it.each(entries)('builds the export %s from a source', (_name, target) => {
    expect(
      Object.values(target)
        .map((it) => sourceOf(it))
        .filter(isMissing),
    ).toEqual([]);
  });

  it.each(entries)('gives the types of %s before the code', (_name, target) => {
    expect(Object.keys(target)[0]).toBe('types');
  });

  it.each(Object.entries(manifest.bin))('starts the command %s with Node', (_name, target) => {
    expect(read(sourceOf(target))).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('publishes only paths that a checkout has or a build makes', () => {
    const paths = manifest.files.filter((path) => !path.startsWith('!') && path !== 'dist');
    expect(paths.filter(isMissing)).toEqual([]);
  });
});

describe('public surface', () => {
  it.each(entries)('names each export of %s', (_name, target) => {
    const path = sourceOf(target['default'] ?? '');
    const wholesale = sourceFile(path, read(path)).statements.filter(
      (it) => ts.isExportDeclaration(it) && it.exportClause === undefined,
    );
    expect(wholesale).toEqual([]);
  });
});

describe('documents', () => {
  it.each(['README.md', 'docs/workflow.md', 'docs/testing.md'])('show a flow in %s', (path) => {
    expect(samples.map((sample) => sample.path)).toContain(path);
  });

  it('list every page of docs/ in its index', () => {
    const pages = readdirSync(join(root, 'docs')).filter((it) => it !== 'README.md');
    expect(pages.filter((it) => !read('docs/README.md').includes(`](${it})`))).toEqual([]);
  });

  it('hold samples that compile against the sources', { timeout: 120_000 }, () => {
    expect(compile(samples)).toEqual([]);
  });

  it('explain every error code, and no other', () => {
    const pages = readdirSync(join(root, 'docs', 'errors')).map((it) => it.replace(/\.md$/, ''));
    expect(pages.sort()).toEqual(Object.keys(errorMessages).sort());
  });

  it.each(Object.keys(errorMessages))('say why %s happens and what to do', (code) => {
    const headings = read(`docs/errors/${code}.md`).match(/^#+ .*$/gm);
    expect(headings).toEqual([`# ${code}`, '## Why it happens', '## What to do']);
  });
});

interface Sample {
  readonly path: string;
  readonly code: string;
}

/** Each TypeScript block of a document: a module of its own. */
function samplesOf(path: string): Sample[] {
  const blocks = read(path).matchAll(/^ *```(?:ts|typescript)\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, code = '']) => ({ path, code }));
}

/** Messages of the compiler about the samples, each with its document. */
function compile(all: readonly Sample[]): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const virtual = new Map(all.map((it, index) => [join(root, `sample-${index}.ts`), it]));
  const paths = Object.fromEntries(
    entries.map(([name, target]) => [
      join('flower-agent', name),
      [join(root, sourceOf(target['default'] ?? ''))],
    ]),
  );
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (path) => virtual.has(path) || disk.fileExists(path);
  host.readFile = (path) => virtual.get(path)?.code ?? disk.readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const sample = virtual.get(path);
    return sample === undefined ? disk.getSourceFile(path, ...rest) : sourceFile(path, sample.code);
  };
  const program = ts.createProgram([...virtual.keys()], { ...options, paths }, host);
  return [...virtual].flatMap(([path, sample]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map((it) => `${sample.path}: ${ts.flattenDiagnosticMessageText(it.messageText, '\n')}`),
  );
}

function sourceFile(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.ES2023,
    impliedNodeFormat: ts.ModuleKind.ESNext,
  });
}

function sourceOf(built: string): string {
  return built.replace(/^(\.\/)?dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');
}

function markdownOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.md'))
    .map((it) => join(folder, it));
}

function isMissing(path: string): boolean {
  return !existsSync(join(root, path));
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
