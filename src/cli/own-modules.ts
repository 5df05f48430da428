import { register } from 'node:module';

/** Modules that a flow gets from the running flower, by import name, whatever is installed. */
export type OwnModules = Readonly<Record<string, unknown>>;

/** Loads the library, its test helpers and zod, once for flower and the flow. */
export async function loadOwnModules(): Promise<OwnModules> {
  const [library, testing, zod] = await Promise.all([
    import('../index.ts'),
    import('../testing/index.ts'),
    import('zod'),
  ]);
  return { 'flower-agent': library, 'flower-agent/testing': testing, zod };
}

/**
 * Makes plain ES modules, which Node itself loads, find the running flower too.
 *
 * A `.mjs` flow or a package in `node_modules` never passes through the TypeScript loader. Does
 * nothing when flower runs from its own TypeScript sources: Node cannot load those.
 */
export function redirectNativeImports(): void {
  if (import.meta.url.endsWith('.ts')) return;
  const urls = {
    'flower-agent': new URL('../index.js', import.meta.url).href,
    'flower-agent/testing': new URL('../testing/index.js', import.meta.url).href,
    zod: import.meta.resolve('zod'),
  };
  const source =
    `const urls = new Map(Object.entries(${JSON.stringify(urls)}));\n` +
    'export const resolve = (name, context, next) => urls.has(name)\n' +
    '  ? { url: urls.get(name), shortCircuit: true }\n' +
    '  : next(name, context);\n';
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}
