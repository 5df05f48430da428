import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJiti } from 'jiti';
import { expect, it } from 'vitest';
import * as flower from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

const docs = join(import.meta.dirname, '..', 'docs');

it('the example of docs/testing.md runs as it stands', async () => {
  const page = readFileSync(join(docs, 'testing.md'), 'utf8');
  const example = /^```ts\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    virtualModules: { 'flower-agent': { ...flower }, 'flower-agent/testing': { ...testing } },
  });
  expect(example).toContain('assert.');
  await jiti.evalModule(example, { filename: join(docs, 'testing.ts'), async: true });
});
