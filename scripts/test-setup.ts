// Runs before every test file: nothing that a test does may reach the real home or the terminal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';

const foreign = /^(ANTHROPIC_|CLAUDE|FLOWER_|DISABLE_(AUTO_)?COMPACT$)/;
const home = mkdtempSync(join(tmpdir(), 'flower-home-'));

for (const name of Object.keys(process.env)) {
  if (foreign.test(name)) delete process.env[name];
}
process.env['HOME'] = home;
process.env['XDG_CONFIG_HOME'] = join(home, '.config');
process.env['CLAUDE_CONFIG_DIR'] = join(home, '.claude');
// One language for all, whatever the machine speaks; a test of languages sets its own.
process.env['LC_ALL'] = 'C.UTF-8';

let printed: string[] = [];

const methods = ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const;
for (const method of methods) {
  console[method] = (...args: unknown[]) => {
    printed.push(`console.${method}: ${args.map(String).join(' ')}`);
  };
}

beforeEach(() => {
  printed = [];
});

afterEach(() => {
  if (printed.length > 0) throw new Error(`The test printed:\n${printed.join('\n')}`);
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});
