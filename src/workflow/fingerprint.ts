import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { defaultAllowedTools } from '../claude/agent-spec.ts';
import { jsonSchemaOf } from '../runtime/json-schema-of.ts';
import type { Step } from './step.ts';

/**
 * Digest of what a step is: name, instructions, tools, model, schema and static prompt.
 *
 * A step whose definition changed runs again at a wake. Functions do not count: code changes all
 * the time without changing what is asked.
 */
export function fingerprintOf(step: Step): string {
  const { spec, prompt, options } = step;
  const definition = {
    name: step.name,
    agent: spec.name,
    instructions: spec.instructions ?? '',
    allowedTools: spec.allowedTools ?? defaultAllowedTools,
    disallowedTools: spec.disallowedTools ?? [],
    agents: Object.keys(spec.agents ?? {}),
    model: spec.model ?? null,
    schema: options.schema === undefined ? null : schemaText(options.schema),
    prompt: typeof prompt === 'string' ? prompt : null,
  };
  return createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 32);
}

function schemaText(schema: z.ZodType): unknown {
  try {
    return jsonSchemaOf(schema);
  } catch {
    return schema.def.type;
  }
}
