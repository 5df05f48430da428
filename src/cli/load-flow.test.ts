import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowerError } from '../errors/flower-error.ts';
import { Workflow } from '../workflow/workflow.ts';
import { loadFlow } from './load-flow.ts';

const files = {
  'flows.ts': `
    import { Workflow } from 'flower-agent';
    import { startScriptedApi } from 'flower-agent/testing';
    import { z } from 'zod';
    import { answer } from './lib/answer.js';
    enum Mood { good = 'good' }
    let calls = 0;
    const spec = { name: 'reader' };
    export const main = Workflow.of('main').step('read', spec, Mood.good + answer);
    export const make = () => Workflow.of('made-' + ++calls);
    export const later = async () => Workflow.of('later');
    export const promised = Promise.resolve(Workflow.of('promised'));
    export const text = 'hello';
    export const nothing = () => undefined;
    export const wrong = () => Workflow.of('w').step('a', spec, '').step('a' as string, spec, '');
    export const thrower = () => {
      throw new Error('no luck\\ntoday');
    };
    export const schema = typeof z.object + typeof startScriptedApi;
    export default Workflow.of('default');
  `,
  'lib/answer.ts': 'export const answer: number = 42;',
  'plain.mjs': "import { Workflow } from 'flower-agent'; export const main = Workflow.of('plain');",
  'common.cjs':
    "const { Workflow } = require('flower-agent'); exports.main = Workflow.of('common');",
  'syntax.ts': 'export const a = 1;\nexport const b = = 2;\n',
  'missing.ts': "import './lib/none.ts';\nexport const main = 1;\n",
  'absent.ts': "import 'not-installed';\nexport const main = 1;\n",
  'throws.ts': "export const main = 1;\n\nthrow new Error('at import');\n",
  'node_modules/pack/package.json': '{"name":"pack","type":"module","exports":"./index.js"}',
  'node_modules/pack/index.js':
    "import { Workflow } from 'flower-agent'; export const main = Workflow.of('pack');",
};

let directory = '';

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'flower-load-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function failure(target: string): Promise<FlowerError> {
  const error: unknown = await loadFlow(target, directory).catch((cause: unknown) => cause);
  if (!FlowerError.is(error)) throw new Error(`no FlowerError but ${String(error)}`);
  return error;
}

describe('loadFlow', () => {
  it.each([
    ['a TypeScript file', 'flows.ts:main', 'main'],
    ['a file without its extension', 'flows:main', 'main'],
    ['a path', './flows.ts:main', 'main'],
    ['the default export', 'flows.ts:default', 'default'],
    ['a function', 'flows.ts:make', 'made-1'],
    ['an async function', 'flows.ts:later', 'later'],
    ['a promise', 'flows.ts:promised', 'promised'],
    ['an ES module', 'plain.mjs:main', 'plain'],
    ['a CommonJS file', 'common.cjs:main', 'common'],
    ['an installed module', 'pack:main', 'pack'],
  ])('loads %s where nothing of flower is installed', async (_name, target, workflow) => {
    expect((await loadFlow(target, directory)).name).toBe(workflow);
  });

  it("gives the flow the running flower's own classes", async () => {
    expect(await loadFlow('flows.ts:main', directory)).toBeInstanceOf(Workflow);
    expect(await loadFlow('plain.mjs:main', directory)).toBeInstanceOf(Workflow);
  });

  it('loads an absolute path', async () => {
    const target = `${join(directory, 'flows.ts')}:main`;
    expect((await loadFlow(target, '/')).name).toBe('main');
  });

  it('leaves no cache behind', () => {
    expect(readdirSync(join(directory, 'node_modules'))).toEqual(['pack']);
  });

  it.each(['flows.ts', 'flows.ts:', ':main', ''])('"%s" lacks a part', async (target) => {
    expect((await failure(target)).code).toBe('flow-target');
  });

  it.each([
    ['none.ts:main', 'none.ts'],
    ['./none:main', 'none'],
    ['not-installed:main', 'not-installed'],
  ])('%s is not found', async (target, path) => {
    const { code, params } = await failure(target);
    expect(code).toBe('flow-not-found');
    expect(params).toMatchObject({ path: expect.stringMatching(new RegExp(`${path}$`)) });
  });

  it.each([
    ['a syntax error by place', 'syntax.ts:main', 'syntax.ts:2:17', 'Unexpected token'],
    ['a file that an import lacks', 'missing.ts:main', 'missing.ts', './lib/none.ts'],
    ['a module that an import lacks', 'absent.ts:main', 'absent.ts', 'not-installed'],
    ['what the file throws by place', 'throws.ts:main', 'throws.ts:3:7', 'at import'],
    ['what the function throws by place', 'flows.ts:thrower', 'flows.ts:17', 'no luck'],
  ])('tells %s', async (_name, target, where, detail) => {
    const { code, params } = await failure(target);
    expect(code).toBe('flow-broken');
    expect(params).toMatchObject({
      where: expect.stringContaining(join(directory, where)),
      detail: expect.stringContaining(detail),
    });
  });

  it('lists what is exported when the attribute is missing', async () => {
    const { code, params } = await failure('flows.ts:mian');
    expect(code).toBe('flow-attribute');
    expect(params).toMatchObject({ attribute: 'mian', found: expect.arrayContaining(['main']) });
  });

  it.each([
    ['flows.ts:text', 'string'],
    ['flows.ts:nothing', 'undefined'],
  ])('%s is not a workflow', async (target, found) => {
    const { code, params } = await failure(target);
    expect([code, params]).toEqual(['flow-not-a-workflow', { target, found }]);
  });

  it("passes on what the flow's own construction says", async () => {
    expect((await failure('flows.ts:wrong')).code).toBe('workflow-invalid');
  });
});
