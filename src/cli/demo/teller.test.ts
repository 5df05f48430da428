import { describe, expect, it } from 'vitest';
import type { GlobalOptions } from '../command-context.ts';
import { languages } from '../locales/language.ts';
import { loadCatalogue } from '../locales/load-catalogue.ts';
import { createTestHost, type TestHost } from '../test-host.test-support.ts';
import { judgeDemo } from './demo-checks.ts';
import { goodFacts } from './demo-facts.test-support.ts';
import type { DemoFacts } from './demo-facts.ts';
import { createTeller } from './teller.ts';

async function told(
  facts: DemoFacts,
  globals: GlobalOptions = {},
  language: (typeof languages)[number] = 'en',
): Promise<TestHost['printed']> {
  const host = createTestHost([]);
  const texts = await loadCatalogue(language);
  createTeller({ host, texts, globals }).verdict(facts, judgeDemo(facts));
  return host.printed;
}

describe('the teller of the demo', () => {
  it.each(languages)('tells every number in %s', async (language) => {
    const { stdout, stderr } = await told(goodFacts, {}, language);
    const { session, gate, folder } = goodFacts;
    const numbers = ['7', '19121', '22', '33', '0,1334|0.1334', '0,0287|0.0287', gate.printed];
    for (const number of numbers) expect(stdout).toMatch(new RegExp(number));
    for (const text of [session.before, gate.objection ?? '', folder]) {
      expect(stdout).toContain(text);
    }
    expect(stderr).toBe('');
  });

  it('tells a claim that does not hold on standard error, with its numbers', async () => {
    const { stdout, stderr } = await told({
      ...goodFacts,
      readRequests: { before: 2, inAll: 4 },
    });
    expect(stderr).toContain('FAIL  step 1 was not repeated: 2 requests before the kill, 4 in all');
    expect(stderr).toContain('1 of 10 claims do not hold.');
    expect(stdout).not.toContain('step 1 was not repeated');
  });

  it.each([{ quiet: true }, { json: true }])('leaves the story out with %j', async (globals) => {
    expect(await told(goodFacts, globals)).toEqual({ stdout: '', stderr: '' });
  });

  it('lets nothing through that a terminal would act on', async () => {
    const { stdout } = await told({
      ...goodFacts,
      cutCallResult: 'unknown \u001b]0;owned\u0007 \u001b[31m',
    });
    expect(stdout).toContain('unknown');
    for (const control of ['\u0007', '\u001b']) expect(stdout).not.toContain(control);
  });
});
