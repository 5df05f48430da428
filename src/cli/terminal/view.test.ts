import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../locales/en.ts';
import { testEvent, testRun, testRunEnd, testScope } from './test-events.test-support.ts';
import { createView } from './view.ts';
import { openVirtualScreen } from './virtual-screen.test-support.ts';
import { displayWidth } from './width.ts';

/** Shows the test run, waits for Enter, shows its end; `language` and the events come from here. */
function viewScript(language: 'en' | 'zh'): string {
  const path = (name: string): string => join(import.meta.dirname, name);
  return `
    import { createJiti } from ${JSON.stringify(import.meta.resolve('jiti'))};
    const jiti = createJiti(import.meta.url, { fsCache: false });
    const { createView } = await jiti.import(${JSON.stringify(path('view.ts'))});
    const { terminalFeatures } = await jiti.import(${JSON.stringify(path('terminal-features.ts'))});
    const { ${language}: texts } = await jiti.import(${JSON.stringify(path(`../locales/${language}.ts`))});
    const stream = process.stderr;
    const features = terminalFeatures(stream, process.env);
    const view = createView({ stream, features, texts, verbosity: 'normal' });
    for (const event of ${JSON.stringify(testRun)}) view.consume(event);
    process.stdin.setRawMode(true).once('data', () => {
      view.consume(${JSON.stringify(testRunEnd)});
      view.end();
      process.exit(0);
    });
  `;
}

let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flower-view-'));
  for (const language of ['en', 'zh'] as const) {
    writeFileSync(join(directory, `${language}.mjs`), viewScript(language));
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function open(language: 'en' | 'zh', columns: number, env: Record<string, string> = {}) {
  const script = join(directory, `${language}.mjs`);
  return openVirtualScreen(script, { columns, env: { TERM: 'xterm-256color', ...env } });
}

describe('the view on a terminal', () => {
  it('fits 60 columns, with CJK, and keeps the live line at the bottom', async () => {
    const screen = open('en', 60);
    await screen.waitFor(' 1/2 fetch | finishing');
    const lines = screen.lines();
    expect(lines.slice(0, 8)).toEqual([
      'flower notes · 2 steps · 20261130-200000-abcdef · continuing',
      '       · waking 2',
      '  in /srv/project, records in /srv/project/runs',
      '  "fetch" goes on: context 34.2K · prompt cache cold · last',
      '  record 42m ago',
      `== 1/2 fetch == continuing · waking 2 ==${'='.repeat(20)}`,
      '~ I look at the file first.',
      '我先读一下文件，然后把要点写成笔记，最后检查一遍结果是否完',
    ]);
    expect(lines[8]).toBe('整。');
    expect(lines.at(-1)).toMatch(/^ 1\/2 fetch \| finishing \d+s \| 34\.2K \| \$0\.0123 \| \d+s$/);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60);
    screen.type('\r');
    expect(await screen.exited).toBe(0);
    expect(screen.lines().at(-1)).toBe('  record of the run: /srv/project/runs/manifest.json');
    expect(screen.lines().join('\n')).not.toContain('finishing');
  });

  it('uses 120 columns and speaks Chinese', async () => {
    const screen = open('zh', 120);
    await screen.waitFor(' 1/2 fetch | 收尾中');
    const lines = screen.lines();
    expect(lines[0]).toBe('flower notes · 2 个步骤 · 20261130-200000-abcdef · 继续 · 第 2 次唤醒');
    expect(lines).toContain('我先读一下文件，然后把要点写成笔记，最后检查一遍结果是否完整。');
    expect(lines).toContain('! 步骤 “fetch”：Write 被拒绝：not in the list of tools');
    screen.type('\r');
    await screen.exited;
    expect(screen.lines()).toContain('x 停在步骤 “fetch”');
  });

  it('leaves one live line after the terminal was made narrower', async () => {
    const screen = open('en', 100);
    await screen.waitFor(' 1/2 fetch | finishing');
    screen.resize(50);
    screen.type('\r');
    await screen.exited;
    expect(screen.lines().join('\n')).not.toContain('finishing');
    expect(screen.lines().join('\n')).toContain('x fetch failed: the gate said no');
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('writes no escape with %j', async (env) => {
    const screen = open('en', 60, env);
    await screen.waitFor('the gate said no');
    screen.type('\r');
    await screen.exited;
    expect(screen.raw()).not.toContain('\u001b');
  });
});

describe('the view in a pipe', () => {
  it('writes whole lines without escapes', () => {
    let text = '';
    const view = createView({
      stream: { write: (chunk) => (text += chunk) },
      features: { colours: false, cursor: false },
      texts: en,
      verbosity: 'normal',
    });
    for (const event of [...testRun, testRunEnd]) view.consume(event);
    view.end();
    expect(text).toMatch(/^flower notes · 2 steps · \S+ · continuing · waking 2\n/);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('lets no control character of an event through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (hostile) => {
        let text = '';
        const view = createView({
          stream: { write: (chunk) => (text += chunk) },
          features: { colours: false, cursor: false },
          texts: en,
          verbosity: 'verbose',
        });
        const step = hostile;
        view.consume(testEvent({ ...testScope, type: 'text', text: hostile }));
        view.consume(
          testEvent({ type: 'step-start', step, index: 1, total: 1, resumed: false, woke: 1 }),
        );
        view.consume(
          testEvent({
            ...testScope,
            type: 'tool-call',
            id: 'i',
            tool: step,
            summary: step,
            input: 1,
          }),
        );
        view.consume(testEvent({ type: 'alarm', code: 'write-failed', params: { file: step } }));
        expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Surrogate}/u);
      }),
    );
  });
});
