import { join } from 'node:path';
import { createJiti, type Jiti } from 'jiti';
import { FlowerError } from '../errors/flower-error.ts';
import { Workflow } from '../workflow/workflow.ts';
import { flowFailure } from './flow-failure.ts';
import { type FlowTarget, flowFile, parseFlowTarget } from './flow-target.ts';
import { loadOwnModules, redirectNativeImports } from './own-modules.ts';

/**
 * Loads a workflow from a TypeScript or JavaScript file, or from a module, without a build step.
 *
 * The file's imports of `flower-agent`, `flower-agent/testing` and `zod` give the running copies,
 * also where nothing is installed. An exported function is called exactly once and may be async.
 * Nothing is written to disk.
 *
 * @param target - `file:attribute` or `module:attribute`.
 * @param directory - Where paths and modules are looked up: the current directory.
 * @throws FlowerError `flow-target`, `flow-not-found`, `flow-broken`, `flow-attribute`,
 * `flow-not-a-workflow`, or what the flow's own construction throws.
 */
export async function loadFlow(target: string, directory: string): Promise<Workflow> {
  const parsed = parseFlowTarget(target);
  const file = flowFile(parsed, directory);
  const own = await loadOwnModules();
  redirectNativeImports();
  const jiti = createJiti(join(directory, 'flow'), {
    fsCache: false,
    interopDefault: false,
    virtualModules: { ...own },
  });
  const exports = await importFlow(jiti, parsed, file);
  const exported = attributeOf(parsed, exports);
  return toWorkflow(parsed, file ?? parsed.source, exported);
}

type Exports = Readonly<Record<string, unknown>>;

async function importFlow(jiti: Jiti, parsed: FlowTarget, file?: string): Promise<Exports> {
  try {
    return await jiti.import<Exports>(file ?? parsed.source);
  } catch (cause) {
    if (file === undefined && isMissing(cause, parsed.source)) {
      const { target, source } = parsed;
      throw new FlowerError('flow-not-found', { target, path: source }, { cause });
    }
    throw flowFailure(parsed, file ?? parsed.source, cause);
  }
}

function isMissing(cause: unknown, name: string): boolean {
  return cause instanceof Error && cause.message.startsWith(`Cannot find module '${name}'`);
}

function attributeOf({ target, attribute }: FlowTarget, exports: Exports): unknown {
  if (Object.hasOwn(exports, attribute)) return exports[attribute];
  const found = Object.keys(exports);
  throw new FlowerError('flow-attribute', { target, attribute, found });
}

async function toWorkflow(parsed: FlowTarget, file: string, exported: unknown): Promise<Workflow> {
  const value = isCallable(exported) ? await callFlow(parsed, file, exported) : await exported;
  if (Workflow.is(value)) return value;
  throw new FlowerError('flow-not-a-workflow', { target: parsed.target, found: kindOf(value) });
}

function isCallable(value: unknown): value is () => unknown {
  return typeof value === 'function';
}

/** A class is a function too; calling it fails, and the error says so. */
async function callFlow(parsed: FlowTarget, file: string, make: () => unknown): Promise<unknown> {
  try {
    return await make();
  } catch (cause) {
    throw flowFailure(parsed, file, cause);
  }
}

function kindOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return value.constructor?.name ?? 'object';
}
