import { type Dirent, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseLineage } from './lineage-file.ts';

/** A run directory that holds a history. */
export interface NearbyRunDir {
  readonly runDir: string;
  /** Workspace that its lineage names. */
  readonly workspace: string;
}

const parentsLookedAt = 5;
const childrenLookedAt = 200;
const mostFound = 5;

/**
 * Run directories with a history near a place where none is: beside it, in a few parents and in the
 * directories directly below. Bounded: reads a few hundred directory entries at the most.
 *
 * @param runDir - Absolute path where nothing was found; its own name is looked for elsewhere too.
 * @returns those of this workspace first; at most five.
 */
export function nearbyRunDirs(runDir: string, workspace: string): NearbyRunDir[] {
  const start = dirname(runDir);
  const names = new Set([basename(runDir), 'runs']);
  const places = [start, workspace, ...parentsOf(start), ...childrenOf(start)];
  const candidates = places.flatMap((place) => [...names].map((name) => join(place, name)));
  const found = new Map<string, NearbyRunDir>();
  for (const candidate of [...candidates, ...childrenOf(start)]) {
    const history = readHistory(candidate);
    if (history !== undefined && candidate !== runDir) found.set(history.runDir, history);
  }
  const isOurs = (history: NearbyRunDir): boolean => history.workspace === workspace;
  const all = [...found.values()];
  return [...all.filter(isOurs), ...all.filter((history) => !isOurs(history))].slice(0, mostFound);
}

function readHistory(path: string): NearbyRunDir | undefined {
  try {
    const lineage = parseLineage(readFileSync(join(path, 'lineage.json'), 'utf8'));
    if (lineage === undefined) return undefined;
    return { runDir: realpathSync.native(path), workspace: lineage.workspace };
  } catch {
    return undefined;
  }
}

function parentsOf(directory: string): string[] {
  const parents: string[] = [];
  for (let place = directory; parents.length < parentsLookedAt; ) {
    const parent = dirname(place);
    if (parent === place) break;
    parents.push(parent);
    place = parent;
  }
  return parents;
}

function childrenOf(directory: string): string[] {
  return entriesOf(directory)
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .slice(0, childrenLookedAt)
    .map((entry) => join(directory, entry.name));
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
