// Where this Node's own C headers are. Without them node-gyp fetches them from the network, which a
// machine behind a wall cannot; most installations of Node bring them along.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Environment for npm that names the headers of this very Node; nothing when they are not here. */
export function headersEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const versionFile = join(prefix, 'include', 'node', 'node_version.h');
  if (process.env['npm_config_nodedir'] !== undefined || !existsSync(versionFile)) return {};
  const text = readFileSync(versionFile, 'utf8');
  const part = (name) => new RegExp(`define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const version = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
  return version === process.versions.node ? { npm_config_nodedir: prefix } : {};
}
