import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FlowerError } from '../errors/flower-error.ts';

/** A flow target, taken apart. */
export interface FlowTarget {
  /** As the user wrote it. */
  readonly target: string;
  /** File path or module name, before the last colon. */
  readonly source: string;
  readonly attribute: string;
}

/** Takes `file:attribute` or `module:attribute` apart; throws `flow-target` without both parts. */
export function parseFlowTarget(target: string): FlowTarget {
  const colon = target.lastIndexOf(':');
  const source = target.slice(0, Math.max(0, colon));
  const attribute = target.slice(colon + 1);
  if (source === '' || attribute === '' || attribute.includes('/')) {
    throw new FlowerError('flow-target', { target });
  }
  return { target, source, attribute };
}

const sourceExtensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx'];
const looksLikeFile = /^[./~]|\.[cm]?[jt]sx?$/;

/**
 * Path of the flow file: the source itself, or with the extension of a script added.
 *
 * @returns `undefined` when the source is the name of a module.
 * @throws `flow-not-found` when it is written as a path and nothing is there.
 */
export function flowFile({ target, source }: FlowTarget, directory: string): string | undefined {
  const path = resolve(directory, source);
  const candidates = [path, ...sourceExtensions.map((extension) => path + extension)];
  const found = candidates.find(isFile);
  if (found === undefined && looksLikeFile.test(source)) {
    throw new FlowerError('flow-not-found', { target, path });
  }
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
