import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createTestHome } from './create-test-home.ts';

describe('createTestHome', () => {
  it('makes folders of its own and removes them', async () => {
    const home = await createTestHome({ files: { 'src/a.txt': 'alpha' } });
    try {
      expect(await readFile(join(home.workspace, 'src/a.txt'), 'utf8')).toBe('alpha');
      for (const folder of [home.home, home.configDir, home.temporary]) await access(folder);
    } finally {
      await home.dispose();
      await home.dispose();
    }
    await expect(access(home.path)).rejects.toThrow('ENOENT');
  });

  it('gives a whole environment that points into them and takes nothing else along', async () => {
    await using home = await createTestHome({ api: { env: () => ({ ANTHROPIC_API_KEY: 'x' }) } });

    expect(home.env).toEqual({
      PATH: process.env['PATH'],
      HOME: home.home,
      TMPDIR: home.temporary,
      LANG: 'C.UTF-8',
      XDG_CONFIG_HOME: join(home.home, '.config'),
      CLAUDE_CONFIG_DIR: home.configDir,
      ANTHROPIC_API_KEY: 'x',
    });
  });
});
