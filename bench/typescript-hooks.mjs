// Module hooks: TypeScript of bench/ is compiled when it is loaded, `src/` means the built `dist/`.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const source = new URL('../src/', import.meta.url).href;
const built = new URL('../dist/', import.meta.url).href;

export function resolve(specifier, context, next) {
  const isOwn = specifier.startsWith('.') && context.parentURL !== undefined;
  const target = isOwn ? new URL(specifier, context.parentURL).href : '';
  if (!target.startsWith(source)) return next(specifier, context);
  return next(target.replace(source, built).replace(/\.ts$/, '.js'), context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(await readFile(fileName, 'utf8'), {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  return { format: 'module', shortCircuit: true, source: outputText };
}
