import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RuntimeParts } from './runtime-parts.ts';

const versions = z.object({ flower: z.string(), sdk: z.string() });
const projectSettings = ['CLAUDE.md', '.claude', '.mcp.json'] as const;

/** Says when the last work in this directory was done by another flower or SDK. */
export function announceVersions(parts: RuntimeParts): void {
  const last = versions.safeParse(parts.rows.lastClosed()?.['versions']);
  if (!last.success) return;
  const before = `flower ${last.data.flower}, SDK ${last.data.sdk}`;
  const now = `flower ${parts.flowerVersion}, SDK ${parts.engine.sdkVersion}`;
  if (before === now) return;
  parts.bus.emit({ type: 'notice', code: 'version-differs', params: { before, now } });
}

/** Says which settings of the project do not count. */
export function announceProjectSettings(parts: RuntimeParts, workspace: string): void {
  const found = projectSettings.filter((name) => existsSync(join(workspace, name)));
  if (found.length === 0) return;
  const params = { files: found.join(', ') };
  parts.bus.emit({ type: 'notice', code: 'project-settings-ignored', params });
}
